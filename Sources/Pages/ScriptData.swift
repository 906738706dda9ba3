/// A JSON document for a script element.
///
/// Browsers search a script's text for its end tag, whatever its type. The characters that they
/// search for are therefore written as JSON escapes, which have the same meaning.
struct ScriptData: Sendable {
  /// The text of the document.
  let text: String

  /// Creates the text from a JSON document in UTF-8.
  init(json: some Sequence<UInt8>) {
    var text = ""
    for scalar in String(decoding: Array(json), as: UTF8.self).unicodeScalars {
      switch scalar {
      case "<": text += "\\u003c"
      case ">": text += "\\u003e"
      case "&": text += "\\u0026"
      case "\u{2028}": text += "\\u2028"
      case "\u{2029}": text += "\\u2029"
      default: text.unicodeScalars.append(scalar)
      }
    }
    self.text = text
  }
}
