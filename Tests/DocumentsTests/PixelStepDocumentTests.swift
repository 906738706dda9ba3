import Documents
import Foundation
import ModelIR
import TestSupport
import Testing

@Suite("steps in documents")
struct PixelStepDocumentTests {
  @Test("every step is read, and written as it was")
  func everyStep() throws {
    let bytes = Array(
      try Data(contentsOf: URL(filePath: Fixtures.path("filters/model.json"))))
    let document = try JSONDocument.decode(ModelDocument.self, from: bytes)
    let written = document.inputs.flatMap { $0.preprocessing ?? [] }
    #expect(Set(written.map(\.step.record.step)) == Set(PixelStep.names))
    let found = try JSONDocument.parse(JSONDocument.encodeCompact(written))
    let stored = try JSONDocument.parse(bytes)
    let expected = stored["inputs"]?.array?.flatMap { $0["preprocessing"]?.array ?? [] } ?? []
    #expect(found.array?.count == expected.count)
    for (found, expected) in zip(found.array ?? [], expected) {
      #expect(found.description == expected.description)
    }
  }
}
