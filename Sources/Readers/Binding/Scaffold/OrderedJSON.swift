import Documents
import ModelIR

/// A JSON value whose objects keep the order of their members.
indirect enum OrderedJSON: Sendable {
  case value(JSONValue)
  case array([OrderedJSON])
  case object([(String, OrderedJSON)])

  static func text(_ text: String) -> OrderedJSON { .value(.string(text)) }

  static func number(_ number: Int) -> OrderedJSON { .value(.number(Double(number))) }

  static func sizes(_ sizes: [Int]) -> OrderedJSON { .array(sizes.map { .number($0) }) }

  /// The placeholder for a value that the user must supply.
  static let question = OrderedJSON.text(GraphScaffold.question)

  /// The JSON text without white space.
  ///
  /// - Throws: `internal` if a number is not finite.
  var compact: [UInt8] {
    get throws(NetconvError) {
      switch self {
      case .value(let value): return try JSONDocument.encodeCompact(value)
      case .array(let elements):
        return try Self.joined(
          elements.map { element throws(NetconvError) in try element.compact }, "[", "]")
      case .object(let members):
        return try Self.joined(
          members.map { key, member throws(NetconvError) in
            try JSONDocument.encodeCompact(JSONValue.string(key)) + Array(":".utf8) + member.compact
          }, "{", "}")
      }
    }
  }

  private static func joined(_ parts: [[UInt8]], _ open: String, _ close: String) -> [UInt8] {
    Array(open.utf8) + Array(parts.joined(separator: Array(",".utf8))) + Array(close.utf8)
  }
}
