import Foundation
import TestSupport
import Testing

/// TensorFlow Lite files on the command line.
@Suite("TensorFlow Lite on the command line")
struct TFLiteTests {
  private static func fixture(_ name: String) -> String { Fixtures.path("tflite/\(name)") }

  @Test("what a Keras file and the model made from it share is found by values")
  func relate() throws {
    let result = try NetconvProcess.run(
      ["relate", Self.fixture("keras-image.h5"), Self.fixture("keras-image.tflite")])
    // The converter folded the normalisation into a factor and an offset.
    #expect(result.status == 1)
    #expect(result.output.contains("incomplete: 9 related, 3 only in B, 4 only in A"))
    #expect(result.output.contains("8 of 8 tensors have the right layout"))
  }

  @Test("layers of the same weights are equal, whatever they are called")
  func diff() throws {
    let result = try NetconvProcess.run(
      ["diff", Self.fixture("keras-image.h5"), Self.fixture("keras-image.tflite")])
    #expect(result.status == 1)
    #expect(result.output.contains("note: conv1 kernel is named conv1_1 kernel in B"))
    #expect(result.output.contains("8 equal"))
  }

  @Test("weights of a network of integers are written as numbers, and equal on the way back")
  func weightsOnly() throws {
    let line = try CommandLine()
    let source = Self.fixture("refused-integers.tflite")
    let result = try line.netconv("convert", source, "out")
    #expect(result.status == 65)
    #expect(result.errors.contains("--weights-only converts the weights without the graph"))
    #expect(try line.netconv("convert", source, "out", "--weights-only", "--quiet").status == 0)
    #expect(try line.netconv("diff", "out", source).status == 0)
    let first = try line.netconv("inspect", source)
    #expect(first.status == 0)
    #expect(first.output.contains("no graph"))
  }

  /// The stored inputs are multiples of 0.05, from the zero point -17 on.
  @Test("an array of the input's integers is what they stand for")
  func integers() throws {
    let line = try CommandLine()
    let source = Self.fixture("integers-conv.tflite")
    let stored = try #require(try arrays(Self.fixture("integers-conv.npz"))["in0"])
    let bytes = stored.values.map { UInt8(bitPattern: Int8(($0 / 0.05).rounded() - 17)) }
    try line.folder.write(npy("|i1", "(3, 9, 7, 3)", bytes), to: "x.npy")
    expectSuccess(
      try line.netconv("run", source, "--input", "x.npy", "--output", "y.npz", "--quiet"))
    let expected = try #require(try arrays(Self.fixture("integers-conv.npz"))["out0"])
    let found = try #require(try arrays(line.folder.file("y.npz"))["v6"])
    #expect(found.values == expected.values)
  }

  @Test(
    "a converted network of integers computes the same, and its weights are those of the source")
  func converted() throws {
    let line = try CommandLine()
    let source = Self.fixture("integers-keras.tflite")
    expectSuccess(try line.netconv("convert", source, "out", "--quiet"))
    #expect(try line.netconv("diff", "out", source).status == 0)
    let result = try line.netconv("verify", "out", "--against", source)
    #expect(result.status == 0, "\(result.output) \(result.errors)")
  }

  @Test("every truncation is refused with the file's name")
  func truncations() throws {
    let line = try CommandLine()
    let bytes = try Data(contentsOf: URL(filePath: Self.fixture("keras-image.tflite")))
    for count in [8, 40, bytes.count / 2, bytes.count - 1] {
      try bytes.prefix(count).write(to: URL(filePath: line.folder.file("cut.tflite")))
      let result = try line.netconv("inspect", "cut.tflite")
      #expect(result.status == 65, "\(count)")
      #expect(result.errors.contains("cut.tflite"), "\(count)")
    }
  }
}
