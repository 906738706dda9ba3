import Foundation
import ModelIR
import Operators
import Readers
import TestSupport
import Testing

@Suite("The documented Keras layers are those that are read")
struct KerasLayerTableTests {
  private static let document = "\(Fixtures.repository)/Docs/keras-layers.md"

  /// Keeps the text above the table; `make docs` sets `NETCONV_WRITE_DOCS`.
  @Test("the table is the one that the mappings give; make docs writes it")
  func table() throws {
    let text = try String(contentsOfFile: Self.document, encoding: .utf8)
    let head = text.range(of: "| Keras layer |").map { String(text[..<$0.lowerBound]) } ?? text
    let expected = head + KerasLayerTable.markdown
    if ProcessInfo.processInfo.environment["NETCONV_WRITE_DOCS"] != nil {
      try expected.write(toFile: Self.document, atomically: true, encoding: .utf8)
    } else {
      #expect(text == expected, "Docs/keras-layers.md is stale; run make docs")
    }
  }

  @Test("every public class of keras.layers is in one of the tables, and in one alone")
  func everyClass() throws {
    let data = try Data(contentsOf: URL(filePath: Fixtures.path("keras/classes.json")))
    let names = try JSONDecoder().decode([String].self, from: data)
    #expect(names.count > 150)
    // What a model reads is no layer of its graph.
    #expect(names.filter { !KerasLayerTable.knows($0) } == ["InputLayer"])
    #expect(KerasLayerTable.classesInBothTables == [])
  }

  @Test("layers become the operators that the table says", arguments: KerasPredictionTests.fixtures)
  func operators(fixture: String) throws {
    let model = try ReaderRegistry.read(Fixtures.path("keras/\(fixture).h5")).model
    for layer in model.layers {
      guard let className = layer.origin?.className else { continue }
      let names = KerasLayerTable.operators(of: className).map { $0.name }
      var operation = layer.operation
      // What is applied to each step is the layer's own operator.
      while let distributed = operation as? TimeDistributed { operation = distributed.operation }
      #expect(names.contains(type(of: operation).name), "\(className)")
    }
  }
}
