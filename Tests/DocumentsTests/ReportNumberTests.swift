import Documents
import Testing

@Suite("Numbers of reports that are not finite")
struct ReportNumberTests {
  private struct Report: Encodable {
    var text = "inf"
    var double = Double.infinity
    var float = -Float.nan
    var list = [1, -Double.infinity, 2.5]
    var nested = [["nan": Float.infinity]]
  }

  @Test("they are null, wherever they are, and texts stay texts")
  func null() throws {
    #expect(
      String(
        decoding: try JSONDocument.encodeReport(Report(), words: \.description), as: UTF8.self)
          == """
          {
            "double": null,
            "float": null,
            "list": [1, null, 2.5],
            "nested": [
              {
                "nan": null
              }
            ],
            "text": "inf"
          }

          """)
  }

  @Test("a document refuses them, as what it says has to be read again")
  func document() {
    #expect(throws: (any Error).self) { try JSONDocument.encode(Report()) }
  }
}
