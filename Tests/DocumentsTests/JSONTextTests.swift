import Documents
import ModelIR
import Testing

@Suite("JSON text")
struct JSONTextTests {
  private struct Sample: Codable, Equatable {
    var name: String
    var shape: [Int]
    var nested: [[String]]
    var none: [Int]
    var empty: [String: Int]
  }

  @Test("lists of plain values stay on one line, whatever their strings hold")
  func layout() throws {
    let sample = Sample(
      name: "a\"],{b\\", shape: [28, 28, 1], nested: [["x]", "y\\\""], []], none: [], empty: [:])
    let bytes = try JSONDocument.encode(sample)
    #expect(
      String(decoding: bytes, as: UTF8.self) == #"""
        {
          "empty": {},
          "name": "a\"],{b\\",
          "nested": [
            ["x]", "y\\\""],
            []
          ],
          "none": [],
          "shape": [28, 28, 1]
        }

        """#)
    #expect(try JSONDocument.decode(Sample.self, from: bytes) == sample)
  }

  @Test(
    "a mistake is named with its line and column",
    arguments: [
      ("", "the text ends, expected a value, in line 1, column 1"),
      ("{\"a\": 1", "the text ends, expected ',' or '}', in line 1, column 8"),
      ("{\n  \"a\": 1 \"b\"}", "found '\"b\"}', expected ',' or '}', in line 2, column 10"),
      ("{'a': 1}", "found ''a': 1}', expected a key in double quotes, in line 1, column 2"),
      ("[1, 2,]", "found ']', expected a value, in line 1, column 7"),
      ("{\"a\": nul}", "found 'nul}', expected a value, in line 1, column 7"),
      ("{\"a\": 1.}", "'1.' is not a number, in line 1, column 7"),
      ("{\"a\": \"\n\"}", "a control character in a string, in line 1, column 8"),
      ("{} x", "found 'x', expected the end, in line 1, column 4"),
    ])
  func mistakes(text: String, message: String) throws {
    let error = try #require(throws: NetconvError.self) {
      try JSONDocument.parse(Array(text.utf8))
    }
    #expect(error.message == "is not JSON: " + message)
  }

  @Test("a name is not read as another one because its bytes are no UTF-8")
  func invalidText() throws {
    let error = try #require(throws: NetconvError.self) {
      try JSONDocument.parse(Array("{\"".utf8) + [0xff] + Array("\": 1}".utf8))
    }
    #expect(
      error.message
        == "is not JSON: a string with invalid UTF-8 ends here, in line 1, column 4")
  }

  @Test("a document that is no JSON is named with the place too")
  func decoding() throws {
    let error = try #require(throws: NetconvError.self) {
      try JSONDocument.decode(Sample.self, from: Array("{\"name\": ".utf8))
    }
    #expect(error.message == "is not JSON: the text ends, expected a value, in line 1, column 10")
  }

  @Test(
    "every kind of value is read",
    arguments: [
      ("null", JSONValue.null), (" true ", .bool(true)), ("-0.5e1", .number(-5)),
      ("[1, [], {}]", .array([.number(1), .array([]), .object([:])])),
      (#"{"a": "b", "a\u0041": null}"#, .object(["a": .string("b"), "aA": .null])),
      (#""\"\\\/\n\t\ud83d\ude00 é""#, .string("\"\\/\n\t😀 é")),
      ("Infinity", .number(.infinity)), ("-Infinity", .number(-.infinity)),
    ])
  func values(text: String, value: JSONValue) throws {
    #expect(try JSONDocument.parse(Array(text.utf8)) == value)
  }

  @Test(
    "half of a surrogate pair is no character",
    arguments: [
      (#"{"a": "b\ud800"}"#, "d800", 9), (#"["\udc00\ud800"]"#, "dc00", 3),
      (#"["\ud83d\ud83d"]"#, "d83d", 3), (#"["\ud83dx"]"#, "d83d", 3),
      (#"{"\udfff": 1}"#, "dfff", 3),
    ])
  func loneSurrogates(text: String, half: String, column: Int) throws {
    let error = try #require(throws: NetconvError.self) { try JSONDocument.parse(Array(text.utf8)) }
    #expect(
      error.message
        == "is not JSON: a lone surrogate, \\u\(half), which is half of a character, in line 1, "
        + "column \(column)")
    // Foundation's decoder sees first that an array is no object.
    guard text.hasPrefix("{") else { return }
    #expect(throws: error) {
      try JSONDocument.decode([String: String].self, from: Array(text.utf8))
    }
  }

  @Test("ten thousand brackets are refused, not followed")
  func deepNesting() throws {
    let error = try #require(throws: NetconvError.self) {
      try JSONDocument.parse(Array(repeating: UInt8(ascii: "["), count: 10_000))
    }
    #expect(error.message == "is not JSON: nested more than 512 levels deep, in line 1, column 513")
  }
}
