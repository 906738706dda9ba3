import Foundation
import TestSupport
import Testing

@Suite("The epsilon of normalisations in a file for MLX")
struct EpsilonNoteTests {
  /// The same tensors without netconv's metadata.
  private func withoutRecord(_ bytes: [UInt8]) throws -> [UInt8] {
    let count = bytes[..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    var header = try jsonObject(bytes[8..<8 + count])
    header["__metadata__"] = nil
    let text = try JSONSerialization.data(withJSONObject: header)
    let length = (0..<8).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) }
    return length + text + bytes[(8 + count)...]
  }

  @Test(
    "Keras's is as it should be in what netconv wrote of Keras, and doubtful in what somebody else wrote"
  )
  func mlx() throws {
    let line = try CommandLine()
    let source = Fixtures.path("keras/keras3-batch-norm.h5")
    expectSuccess(try line.netconv("convert", source, "own.safetensors", "--target", "mlx", "-q"))
    try line.folder.write(
      try withoutRecord(try line.folder.bytes("own.safetensors")), to: "other.safetensors")
    for (file, isDoubtful) in [("own", false), ("other", true)] {
      let result = try line.netconv(
        "convert", "\(file).safetensors", "\(file).npz", "--model", source, "--convention", "mlx")
      #expect(result.status == 0, "\(result.errors)")
      #expect(
        result.errors.contains("epsilon differs from the default of mlx") == isDoubtful,
        "\(result.errors)")
    }
  }
}
