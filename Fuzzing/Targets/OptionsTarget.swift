import Documents
import ModelIR

/// The document `STEM.netconv.json`, the options of `netconv embed`.
enum OptionsTarget: FuzzTarget {
  static let name = "options"

  static func parse(_ bytes: [UInt8]) throws {
    let options = try JSONDocument.decode(EmbedOptionsDocument.self, from: bytes)
    let again = try mustWork("reading what was written") { () throws(NetconvError) in
      try JSONDocument.decode(
        EmbedOptionsDocument.self, from: JSONDocument.encode(Self.json(options)))
    }
    try hold(options == again, "the same options are read as others")
  }

  private static func json(_ options: EmbedOptionsDocument) -> JSONValue {
    .object([
      "target": text(options.target), "dtype": .array(options.dtype.map(JSONValue.string)),
      "fold": .bool(options.fold), "language": text(options.language), "name": text(options.name),
      "replace": .array(options.replace.map(JSONValue.string)),
    ])
  }

  private static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
