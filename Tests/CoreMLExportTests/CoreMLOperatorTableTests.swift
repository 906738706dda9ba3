import CoreMLExport
import Foundation
import TestSupport
import Testing

@Suite("The documented operations of Core ML are those that are written")
struct CoreMLOperatorTableTests {
  private static let document = "\(Fixtures.repository)/Docs/targets/coreml.md"

  /// Keeps the text above the table; `make docs` sets `NETCONV_WRITE_DOCS`.
  @Test("the table is the one that the translations give; make docs writes it")
  func table() throws {
    let text = try String(contentsOfFile: Self.document, encoding: .utf8)
    let head = text.range(of: "| operator |").map { String(text[..<$0.lowerBound]) } ?? text
    let expected = head + CoreMLOperatorTable.markdown
    if ProcessInfo.processInfo.environment["NETCONV_WRITE_DOCS"] != nil {
      try expected.write(toFile: Self.document, atomically: true, encoding: .utf8)
    } else {
      #expect(text == expected, "Docs/targets/coreml.md is stale; run make docs")
    }
  }

  @Test("what the graph has, but Core ML does not, is refused in the table")
  func refused() {
    let rows = CoreMLOperatorTable.markdown.split(separator: "\n")
    let refused = rows.filter { $0.contains("refused") }.compactMap { row in
      row.split(separator: "|").first?.trimmingCharacters(in: .whitespaces)
    }
    #expect(
      refused == [
        "ConvolutionalLSTM1D, ConvolutionalLSTM2D, ConvolutionalLSTM3D", "GRU", "LSTM", "Quantized",
        "SimpleRNN",
      ])
  }
}
