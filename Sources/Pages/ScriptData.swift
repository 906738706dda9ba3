/// A JSON document as a script element holds it.
///
/// A browser looks for the end of a script in its text, whatever language it is in. None of the characters that it
/// looks for is left: JSON can write them by their numbers, and means the same.
struct ScriptData: Sendable {
  /// The document's text.
  let text: String

  /// A JSON document, in UTF-8.
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
