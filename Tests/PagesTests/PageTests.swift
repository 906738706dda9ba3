import Digests
import Foundation
import Pages
import Testing

@Suite struct PageTests {
  private static let hostile = [
    "</script><script>alert(1)</script>", "<!--<script>", "]]>", "<img src=x onerror=alert(1)>",
    "\u{2028}\u{2029}&amp;'\"",
  ]

  private func page(_ kind: Page.Kind, text: String = "out") throws -> String {
    let json = try Array(JSONSerialization.data(withJSONObject: ["name": text]))
    let page = Page(
      kind, of: text, lead: Page.Lead(.bad, text, remedies: [text]), report: json, data: json,
      version: "1.0")
    return String(decoding: page.bytes, as: UTF8.self)
  }

  /// The text between the only tag `<NAME…>` with this prefix and the next `</NAME>`.
  private func content(_ opening: String, _ closing: String, of page: String) throws -> String {
    let parts = page.components(separatedBy: opening)
    try #require(parts.count == 2, "\(opening) is there \(parts.count - 1) times")
    return try #require(parts[1].components(separatedBy: closing).first)
  }

  @Test(arguments: Page.Kind.allCases)
  func `the policy allows this script and this style by their hashes, and nothing else`(
    kind: Page.Kind
  ) throws {
    let page = try page(kind)
    let hash = { (text: String) in
      "'sha256-\(Data(SHA256.hash(of: Array(text.utf8))).base64EncodedString())'"
    }
    let script = hash(try content("<script>", "</script>", of: page))
    let style = hash(try content("<style>", "</style>", of: page))
    let policy = try content(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"", "\">", of: page)
    #expect(
      policy.replacing("&#39;", with: "'")
        == "default-src 'none'; script-src \(script); style-src \(style); img-src data:; base-uri 'none'; "
        + "form-action 'none'")
  }

  @Test(arguments: Page.Kind.allCases)
  func `a page has three scripts, two of them data, whatever it is of`(kind: Page.Kind) throws {
    for text in Self.hostile {
      let page = try page(kind, text: text)
      let scripts = page.matches(of: #/(?i)<script[^>]*>/#).map { String($0.output) }
      // The script itself is text of netconv, and speaks of no tags.
      #expect(
        scripts == [
          "<script type=\"application/json\" id=\"report\">",
          "<script type=\"application/json\" id=\"page-data\">", "<script>",
        ], "\(text)")
      #expect(page.matches(of: #/(?i)<\/script/#).count == 3)
      #expect(!page.contains("<img") && !page.contains("<!--<"))
    }
  }

  @Test func `data means the same as before`() throws {
    for text in Self.hostile {
      let page = try page(.inspect, text: text)
      for id in ["report", "page-data"] {
        let json = try content(
          "<script type=\"application/json\" id=\"\(id)\">", "</script>", of: page)
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String]
        #expect(value == ["name": text])
      }
    }
  }

  @Test(arguments: Page.Kind.allCases)
  func `without its data a page is small`(kind: Page.Kind) throws {
    #expect(try page(kind).utf8.count < 300_000)
  }

  @Test(arguments: Page.Kind.allCases)
  func `nothing in a page makes markup of text, loads anything or has a style of its own`(
    kind: Page.Kind
  ) throws {
    let page = try page(kind).replacing("http://www.w3.org/2000/svg", with: "")
    for word in [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
      "setTimeout", "DOMParser", "createContextualFragment", "fetch(", "XMLHttpRequest", "import(",
      "http:", "https:", "WebSocket", " style=\"", "@import", "url(", "srcdoc", "javascript:",
    ] {
      #expect(!page.contains(word), "\(word)")
    }
  }

  @Test func `bytes as text`() {
    // RFC 4648, section 10.
    for (text, wanted) in [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ] {
      #expect(base64(Array(text.utf8)) == wanted)
    }
  }
}
