import Foundation
import TestSupport
import Testing

@Suite("Values that are too large for the type they are written as")
struct OverflowTests {
  /// A dense layer of 2 x 3 and its bias, as values of `type`.
  private func line(_ type: String, kernel: [UInt8], bias: [UInt8]) throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [2]}], "outputs": ["fc"],
       "layers": [
        {"name": "fc", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 3},
         "parameters": [
          {"role": "kernel", "file": "W.bin", "dtype": "\(type)", "layout": "IO"},
          {"role": "bias", "file": "b.bin", "dtype": "\(type)", "layout": "O"}]}]}
      """, to: "m/model.json")
    try line.folder.write(kernel, to: "m/W.bin")
    try line.folder.write(bias, to: "m/b.bin")
    return line
  }

  private func floats(_ values: [Float]) -> [UInt8] {
    values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
  }

  private func doubles(_ values: [Double]) -> [UInt8] {
    values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
  }

  private func statistics(_ line: CommandLine, _ tensor: Int) throws -> [String: Any] {
    let manifest = try jsonObject(try line.folder.bytes("out/manifest.json"))
    let tensors = try #require(manifest["tensors"] as? [[String: Any]])
    return try #require(tensors[tensor]["statistics"] as? [String: Any])
  }

  @Test("float16: each tensor is named with the count and the first index, and recorded")
  func half() throws {
    let line = try line(
      "float32", kernel: floats([1, 65_519, 65_520, -70_000, 1e-9, -2]),
      bias: floats([70_000, 0, 1]))
    let result = try line.netconv("convert", "m", "out", "--dtype", "float16")
    #expect(
      result.errors == """
        netconv: warning: 1 tensor holds values that are too large for the type they are written as; \
        they became infinite
          'fc' kernel (W.bin): 2 of 6, the first at index 2, as float16

        """)
    #expect(result.status == 0)
    #expect(
      result.output.hasSuffix("; each read back and equal to the source rounded to float16\n"))
    let kernel = try statistics(line, 0)
    #expect(kernel["overflowed"] as? Int == 2)
    #expect(kernel["firstOverflowed"] as? Int == 2)
    #expect(kernel["nonFinite"] as? Int == 2)
    // As they were written: 65,519 is nearer to 65,504 than to what comes next.
    #expect(kernel["max"] as? Double == 65_504)
    #expect(kernel["min"] as? Double == -2)
    // Biases are always float32.
    let bias = try statistics(line, 1)
    #expect(bias["overflowed"] == nil)
    #expect(bias["max"] as? Double == 70_000)
    let report = try jsonObject(
      try line.netconv(
        "convert", "m", "out", "--dtype", "float16", "--force", "--json"
      ).output.utf8)
    let conversion = try #require((report["conversions"] as? [[String: Any]])?.first)
    #expect((conversion["warnings"] as? [String])?.count == 1)
  }

  @Test("values that are infinite in the source are told apart from those that become it")
  func both() throws {
    let line = try line(
      "float32", kernel: floats([1, .infinity, 1e6, .nan, 3, 1e5]), bias: floats([0, 0, 0]))
    let result = try line.netconv("convert", "m", "out", "--dtype", "float16")
    #expect(
      result.errors == """
        netconv: warning: 1 tensor holds values that are infinite or not a number
          'fc' kernel (W.bin): 2 of 6, the first at index 1
        netconv: warning: 1 tensor holds values that are too large for the type they are written as; \
        they became infinite
          'fc' kernel (W.bin): 2 of 6, the first at index 2, as float16

        """)
    #expect(try statistics(line, 0)["nonFinite"] as? Int == 4)
  }

  @Test("float64 that float32 cannot hold")
  func double() throws {
    let line = try line(
      "float64", kernel: doubles([1, 2, 3, 1e300, .infinity, -1e39]), bias: doubles([0, 1e40, 0]))
    let result = try line.netconv("convert", "m", "out")
    #expect(
      result.errors == """
        netconv: warning: 1 tensor holds values that are infinite or not a number
          'fc' kernel (W.bin): 1 of 6
        netconv: warning: 2 tensors hold values that are too large for the type they are written as; \
        they became infinite
          'fc' kernel (W.bin): 2 of 6, the first at index 3, as float32
          'fc' bias (b.bin): 1 of 3, the first at index 1, as float32

        """)
    #expect(result.output.hasSuffix("; each read back and equal to the source\n"))
    // The infinite value comes after one that became infinite.
    #expect(try statistics(line, 0)["firstNonFinite"] as? Int == 3)
  }

  @Test("what fits is not warned of")
  func none() throws {
    let line = try line(
      "float32", kernel: floats([65_504, -65_504, 65_519.9, 0, 1e-30, 1]),
      bias: floats([3e38, 0, 0]))
    expectSuccess(try line.netconv("convert", "m", "out", "--dtype", "float16"))
    #expect(try statistics(line, 0)["overflowed"] == nil)
  }
}
