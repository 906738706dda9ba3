import Foundation
import Readers
import TestSupport
import Testing

@Suite("The documented operations of Core ML are those that are read")
struct CoreMLOperationTableTests {
  private static let document = "\(Fixtures.repository)/Docs/formats/coreml.md"
  private static let heading = "## Operations of ML Programs\n\n"

  /// Keeps the text above the list; `make docs` sets `NETCONV_WRITE_DOCS`.
  @Test("the list is the one that the readers give; make docs writes it")
  func list() throws {
    let text = try String(contentsOfFile: Self.document, encoding: .utf8)
    let start = try #require(text.range(of: Self.heading))
    let expected = String(text[..<start.upperBound]) + CoreMLOperationTable.markdown
    if ProcessInfo.processInfo.environment["NETCONV_WRITE_DOCS"] != nil {
      try expected.write(toFile: Self.document, atomically: true, encoding: .utf8)
    } else {
      #expect(text == expected, "Docs/formats/coreml.md is stale; run make docs")
    }
  }
}
