/// The top-level keys of a text that may be a JSON object, regardless of its other contents.
///
/// Nothing is validated: the keys serve to detect the format before a document is decoded.
package struct JSONKeys {
  /// The keys as they are written.
  package let keys: Set<String>

  /// Collects the keys in `bytes`; empty unless the text starts with an object.
  package init(_ bytes: [UInt8]) {
    var keys: Set<String> = []
    var depth = 0
    var start: Int?
    var isEscaped = false
    var last: Range<Int>?
    for (index, byte) in bytes.enumerated() {
      if let first = start {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          last = first..<index
          start = nil
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): start = index + 1
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ":"):
        if depth == 1, let last { keys.insert(String(decoding: bytes[last], as: UTF8.self)) }
      default: break
      }
    }
    let first = bytes.first { ![9, 10, 13, 32].contains($0) }
    self.keys = first == UInt8(ascii: "{") ? keys : []
  }
}

extension RTNeuralDocument {
  /// Returns true if the text has the keys of RTNeural's JSON.
  package static func recognizes(_ bytes: [UInt8]) -> Bool { recognizes(JSONKeys(bytes).keys) }

  /// Returns true if the keys are those of RTNeural's JSON.
  package static func recognizes(_ keys: Set<String>) -> Bool {
    keys.isSuperset(of: ["in_shape", "layers"])
  }
}
