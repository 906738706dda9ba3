import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

@Suite("The documented operations of TensorFlow are those that are read")
struct TensorFlowOperationTableTests {
  private static let document = "\(Fixtures.repository)/Docs/formats/tensorflow.md"

  /// Keeps the text above the table; `make docs` sets `NETCONV_WRITE_DOCS`.
  @Test("the table is the one that the mappings give; make docs writes it")
  func table() throws {
    let text = try String(contentsOfFile: Self.document, encoding: .utf8)
    let head = text.range(of: "| operations |").map { String(text[..<$0.lowerBound]) } ?? text
    let expected = head + GraphOperationTable.markdown
    if ProcessInfo.processInfo.environment["NETCONV_WRITE_DOCS"] != nil {
      try expected.write(toFile: Self.document, atomically: true, encoding: .utf8)
    } else {
      #expect(text == expected, "Docs/formats/tensorflow.md is stale; run make docs")
    }
  }

  @Test("layers are the operators that the table says", arguments: TensorFlowGraphTests.read)
  func operators(graph: String) throws {
    let model = try ReaderRegistry.read(TensorFlowGraphTests.fixture("graph-\(graph).pb")).model
    for layer in model.layers {
      let name = type(of: layer.operation).name
      #expect(GraphOperationTable.operators.contains(name), "\(layer.name): \(name)")
    }
  }
}
