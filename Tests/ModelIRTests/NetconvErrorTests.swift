import ModelIR
import TestSupport
import Testing

@Suite struct NetconvErrorTests {
  @Test func `says file, layer and tensor, then the message`() {
    let error = NetconvError(.badData, "shape is [2], expected [3]")
    #expect(error.description == "shape is [2], expected [3]")
    #expect(error.inFile("a.h5").description == "a.h5: shape is [2], expected [3]")
    #expect(error.inLayer("fc1").description == "layer 'fc1': shape is [2], expected [3]")
    #expect(error.inTensor("bias").description == "tensor 'bias': shape is [2], expected [3]")
    #expect(
      error.inTensor("bias").inLayer("fc1").inFile("a.h5").description
        == "a.h5: layer 'fc1', tensor 'bias': shape is [2], expected [3]")
  }

  @Test func `the place that is known first stays`() {
    let error = NetconvError(.badData, "x").inFile("inner").inLayer("inner").inTensor("inner")
    #expect(error.inFile("outer").inLayer("outer").inTensor("outer") == error)
  }

  @Test func `details follow, indented`() {
    let error = NetconvError(.badData, "2 problems", details: ["first", "second"]).inFile("a.h5")
    #expect(error.description == "a.h5: 2 problems\n  first\n  second")
    #expect(error.headline == "a.h5: 2 problems")
  }

  @Test(arguments: [
    ("conv1", "'conv1'"), ("", "''"), ("größe ×", "'größe ×'"), ("it's", "'it's'"),
    ("a\nb\t\u{0}\r\u{7f}", #"'a\u{a}b\u{9}\u{0}\u{d}\u{7f}'"#), ("\u{1b}[31m", #"'\u{1b}[31m'"#),
    ("\u{9b}1m", #"'\u{9b}1m'"#), ("a\u{202e}b", #"'a\u{202e}b'"#),
    ("conv\u{200b}1\u{feff}", #"'conv\u{200b}1\u{feff}'"#),
    ("\u{2028}\u{ad}", #"'\u{2028}\u{ad}'"#),
    ("\u{e0041}\u{2066}", #"'\u{e0041}\u{2066}'"#), ("größe 卷积 ❤️ é", "'größe 卷积 ❤️ é'"),
  ])
  func `a name is quoted, its hidden characters escaped`(name: String, text: String) {
    #expect(quoted(name) == text)
  }

  @Test func `a long name is shortened`() {
    let digits = "0123456789"
    let eighty = String(repeating: digits, count: 8)
    #expect(quoted(eighty) == "'\(eighty)'")
    #expect(
      quoted(eighty + "!") == "'\(eighty.prefix(60))…123456789!' (81 characters)")
    #expect(quoted(eighty.dropFirst(70)) == "'0123456789'")
  }

  @Test func `accents stacked on one letter do not make a name short`() {
    let name = "a" + String(repeating: "\u{301}", count: 1000)
    #expect(quoted(name).unicodeScalars.count < 100)
    #expect(quoted(name).hasSuffix("' (1001 characters)"))
  }
}
