import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

@Suite("The documented Keras layers are those that are read")
struct KerasLayerTableTests {
  private static let document = "\(Fixtures.repository)/Docs/keras-layers.md"

  /// Keeps what stands above the table; `make docs` sets `NETCONV_WRITE_DOCS`.
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

  @Test("layers become the operators that the table says", arguments: KerasPredictionTests.fixtures)
  func operators(fixture: String) throws {
    let model = try ReaderRegistry.read(Fixtures.path("keras/\(fixture).h5")).model
    for layer in model.layers {
      guard let className = layer.origin?.className else { continue }
      let names = KerasLayerTable.operators(of: className).map { $0.name }
      #expect(names.contains(type(of: layer.operation).name), "\(className)")
    }
  }
}
