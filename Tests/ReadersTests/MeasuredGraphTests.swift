import Execution
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// Graphs that were frozen with a loss or a metric beside the network's result.
@Suite("Graphs with losses and metrics")
struct MeasuredGraphTests {
  private struct Case: Decodable {
    let output: String
    let measures: [String]
  }

  /// The cases of the script that wrote the graphs: the network's result in each, and the other outputs.
  private static func cases() throws -> [String: Case] {
    let listing = URL(fileURLWithPath: Fixtures.path("tensorflow/measured.json"))
    return try JSONDecoder().decode([String: Case].self, from: Data(contentsOf: listing))
  }

  @Test("the result is what nothing but losses and metrics reads, and these are left out")
  func outputs() throws {
    let cases = try Self.cases()
    #expect(cases.count == 5)
    for (name, expected) in cases {
      let source = try ReaderRegistry.read(Fixtures.path("tensorflow/measured-\(name).pb"))
      let model = try source.model
      let stored = try arrays(Fixtures.path("tensorflow/measured-\(name).npz"))
      let fed = try #require(stored["in0"])
      let input = try #require(model.inputs.first)
      #expect(model.inputs.map(\.name) == ["x"], "\(name)")
      let found = try ReferenceEngine(model).run([
        input.name: NDArray(shape: fed.shape, values: fed.values)
      ])
      #expect(found.count == 1, "\(name)")
      let values = try #require(model.outputs.first.flatMap { found[$0] }).values
      #expect(
        relativeDifference(values, try #require(stored["out0"]).values) < 1e-5, "\(name)")
      let note = try #require(source.notes.first, "\(name)")
      #expect(
        note.text.hasPrefix(
          "the graph does not name its outputs; taken is '\(expected.output)', which nothing but losses"
        ),
        "\(note.text)")
      let left = expected.measures.map { "'\($0)'" }.joined(separator: ", ")
      #expect(
        note.text.hasSuffix("left out \(expected.measures.count == 1 ? "is" : "are") \(left)"),
        "\(note.text)")
      #expect(note.isDecision)
    }
  }

  @Test("a metric that is asked for by its name is not left out")
  func asked() throws {
    let error = try #require(
      thrown {
        try ReaderRegistry.read(
          Fixtures.path("tensorflow/measured-probabilities.pb"),
          ReaderOptions(graph: GraphSelection(outputs: ["accuracy"])))
      })
    #expect(error.message.contains("not read"))
  }
}
