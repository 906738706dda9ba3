import Datasets
import Execution
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// The graphs in a folder of fixtures, without their extension.
struct StoredGraphs {
  /// The models with stored outputs.
  let read: [String]
  /// The models that must be refused.
  let refused: [String]

  init(in folder: String, endingIn fileExtension: String) {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: Fixtures.path(folder))) ?? []
    let names = files.filter { $0.hasSuffix(fileExtension) }
      .map { String($0.dropLast(fileExtension.count)) }.sorted()
    read = names.filter { !$0.hasPrefix("refused-") }
    refused = names.filter { $0.hasPrefix("refused-") }
  }
}

/// Compares all outputs of a graph with stored ones, within 1e-5 of the largest.
///
/// - Parameters:
///   - arrayFile: An `.npz` with `in0`, `in1`, … and `out0`, … unless they are named.
///   - constantOutputs: The number of stored outputs that are constant, so that the model has none of them.
func expectStoredOutputs(
  of path: String, _ arrayFile: String, _ engine: EngineKind,
  _ selection: GraphSelection = GraphSelection(),
  named: (inputs: [String], outputs: [String])? = nil, constantOutputs: Int = 0
) throws {
  let model = try ReaderRegistry.read(path, ReaderOptions(graph: selection)).model
  let stored = try arrays(arrayFile)
  var inputs: [String: NDArray<Float>] = [:]
  for (index, input) in model.inputs.enumerated() {
    let array = try #require(stored[named?.inputs[index] ?? "in\(index)"])
    inputs[input.name] = NDArray(shape: array.shape, values: array.values)
  }
  let found = try engine.engine(for: model).run(inputs)
  for (index, name) in model.outputs.enumerated() {
    let output = try #require(found[name])
    let expected = try #require(stored[named?.outputs[index] ?? "out\(index)"])
    #expect(output.shape == expected.shape, "output \(index)")
    #expect(relativeDifference(output.values, expected.values) < 1e-5, "output \(index)")
  }
  let count = named?.outputs.count ?? stored.keys.count { $0.hasPrefix("out") }
  #expect(model.outputs.count == count - constantOutputs)
}
