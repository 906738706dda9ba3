import Pages
import Testing

@Suite struct HTMLTests {
  @Test func `a text is shown as it is, whatever is in it`() {
    #expect(
      HTML.text("<img src=x onerror=\"a('b')\"> & more").markup
        == "&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt; &amp; more")
  }

  @Test func `an attribute cannot be left`() {
    #expect(
      HTML.element("p", ["class": "\"><script>"]).markup
        == "<p class=\"&quot;&gt;&lt;script&gt;\"></p>")
  }

  @Test func `what shows nothing or turns the text is shown by its number`() {
    #expect(
      HTML.text("a\u{202e}b\u{0}c\u{200b}d\u{7f}").markup == #"a\u{202e}b\u{0}c\u{200b}d\u{7f}"#)
  }

  @Test func `letters of any script stay`() {
    #expect(HTML.text("größe 層 🙂\n").markup == "größe 層 🙂\n")
  }
}
