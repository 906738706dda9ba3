import Documents
import ModelIR

/// The wording of errors about the fields of documents in JSON.
extension NetconvError {
  static func wrongField(
    _ place: String, _ found: JSONValue?, expected: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(place.isEmpty ? "the document" : quoted(place)) is \(found?.short ?? "missing"), expected \(expected)"
    )
  }

  static func missingField(_ place: String) -> NetconvError {
    NetconvError(.badData, "\(quoted(place)) is missing")
  }

  static func unknownField(
    _ key: String, in place: String, known: Set<String>
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the key \(quoted(key))" + (place.isEmpty ? "" : " in \(quoted(place))")
        + " is not known, and might change what is computed; known are "
        + known.sorted().joined(separator: ", "))
  }
}

extension JSONValue {
  /// The value for messages: what is long is only named.
  fileprivate var short: String {
    switch self {
    case .array(let elements): "a list of \(elements.count)"
    case .object: "an object"
    case .string(let text): quoted(text)
    default: description
    }
  }
}
