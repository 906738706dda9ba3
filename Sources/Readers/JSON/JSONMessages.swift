import Documents
import ModelIR

/// Errors about the fields of JSON documents.
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
  /// The value as text for messages; long values are summarised.
  fileprivate var short: String {
    switch self {
    case .array(let elements): "a list of \(elements.count)"
    case .object: "an object"
    case .string(let text): quoted(text)
    default: description
    }
  }
}
