import Diagnosis
import Execution
import Foundation
import ModelIR
import NetconvKit
import Readers
import TestSupport
import Testing

/// Reading an output for any target restores the original order of values.
@Suite("What was converted computes what its source computes, bit for bit")
struct ConversionEqualityTests {
  static let checkpoints: [String] = {
    let folder = Fixtures.path("keras")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".npz") }.map { $0.dropLast(4) + ".h5" }.sorted()
  }()

  @Test(
    "folder, archive, and a conversion of the conversion",
    arguments: Sampling.part(of: checkpoints, every: 4, from: 1, allIn: .slow))
  func equal(checkpoint: String) throws {
    let folder = try TemporaryFolder()
    let source = Fixtures.path("keras/\(checkpoint)")
    try convert(source, to: folder.file("once"))
    try convert(folder.file("once"), to: folder.file("twice"))
    try convert(source, to: folder.file("model.netpack"))
    let expected = try outputs(of: source)
    for name in ["once", "twice", "model.netpack"] {
      let found = try outputs(of: folder.file(name))
      #expect(found.keys.sorted() == expected.keys.sorted())
      for (output, values) in expected { #expect(found[output] == values, "\(name): \(output)") }
    }
  }

  private func convert(_ source: String, to destination: String) throws {
    var request = ConvertRequest(source: source, destination: destination)
    if !destination.hasSuffix(".netpack") { request.formats = [.bin] }
    _ = try Netconv.convert(request)
  }

  private func outputs(of path: String) throws -> [String: NDArray<Float>] {
    let model = try ReaderRegistry.read(path).model
    var inputs: [String: NDArray<Float>] = [:]
    for input in model.inputs {
      let shape = [2] + input.shape.dimensions.map { $0 ?? 9 }
      let count = shape.reduce(1, *)
      // An embedding takes whole numbers.
      let takesNumbers = model.layerReadingTokenIDs(of: input.name) != nil
      let values = (0..<count).map { (index: Int) -> Float in
        takesNumbers ? Float(index * 37 % 10) : Float(index * 37 % 101) / 50 - 1
      }
      inputs[input.name] = NDArray(shape: shape, values: values)
    }
    return try EngineKind.fast.engine(for: model).run(inputs)
  }
}
