import ModelIR

/// The texts of all errors that this module throws.
extension NetconvError {
  static func tensorCalledAsTexts(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "a tensor is named \(quoted(name)), which safetensors reserves for metadata; write another format"
    )
  }

  static var unfitNumber: NetconvError {
    NetconvError(
      .badData,
      "holds a number that is too large, or one with a fraction where a whole number is expected")
  }

  static func changedManifest(stated: String, found: String?) -> NetconvError {
    let found = found.map { ", not of this one (\($0.prefix(16))…)" } ?? ""
    return NetconvError(
      .badData,
      "its SHA-256 (\(stated.prefix(16))…) is that of another manifest\(found); it was changed after it was written, "
        + "so convert the model again")
  }

  static func unreadable(_ reason: String) -> NetconvError {
    NetconvError(.badData, "cannot be read: \(reason)")
  }

  static func cannotEncode(_ reason: String) -> NetconvError {
    NetconvError(.internal, "a document cannot be written as JSON: \(reason)")
  }

  static func invalidDocument(_ error: DecodingError) -> NetconvError {
    switch error {
    case .typeMismatch(let type, let context):
      return NetconvError(
        .badData, place(context) + "is \(found(context)), expected \(name(of: type))")
    case .valueNotFound(let type, let context):
      return NetconvError(.badData, place(context) + "is null, expected \(name(of: type))")
    case .keyNotFound(let key, let context):
      return NetconvError(
        .badData, place(context) + "the key \(quoted(key.stringValue)) is missing")
    case .dataCorrupted(let context) where context.debugDescription == numberDoesNotFit:
      return .unfitNumber
    case .dataCorrupted(let context):
      return NetconvError(.badData, place(context) + escaped(context.debugDescription))
    @unknown default:
      return .unreadable("\(error)")
    }
  }

  static func wrongFormat(_ found: String, expected: String) -> NetconvError {
    NetconvError(.badData, "format is \(quoted(found)), expected '\(expected)'")
  }

  static func longSafetensorsHeader(_ found: some BinaryInteger, limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "is safetensors with a header of \(found) bytes, expected at most \(limit); it may be damaged"
    )
  }

  static func safetensorsHeaderOutside(_ found: Int, size: Int) -> NetconvError {
    NetconvError(
      .badData,
      "is safetensors with a header of \(found) bytes, but holds \(size); it is truncated or damaged"
    )
  }

  static func wrongSafetensorsLength(
    _ found: Int, expected: Int, shape: [Int], type: SafetensorsType
  ) -> NetconvError {
    NetconvError(
      .badData, "holds \(found) bytes, expected \(expected) (\(shape) of \(type.name))")
  }

  static func wrongVersion(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(
      .badData,
      "version is \(found), this netconv reads version \(expected); use the netconv that wrote it")
  }

  /// Returns the position in the document, such as `layers[3].parameters[0].layout: `.
  private static func place(_ context: DecodingError.Context) -> String {
    var path = ""
    for key in context.codingPath {
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += (path.isEmpty ? "" : ".") + escaped(key.stringValue)
      }
    }
    return path.isEmpty ? "" : path + ": "
  }

  /// Foundation's message for a number that does not fit its type, and for any text that is not JSON.
  private static let numberDoesNotFit = "The given data was not valid JSON."

  /// Returns the type that was found, from Foundation's message "Expected to decode Int but found a string instead.".
  private static func found(_ context: DecodingError.Context) -> String {
    let words = context.debugDescription.split(separator: " but found ")
    guard words.count == 2 else { return "of the wrong type" }
    return switch words[1].split(separator: " instead").first {
    case "number": "a number"
    case "bool": "true or false"
    case "a dictionary": "an object"
    case let found?: String(found)
    case nil: "of the wrong type"
    }
  }

  private static func name(of type: Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Int.Type: "a whole number"
    case is Double.Type, is Float.Type: "a number"
    case is Bool.Type: "true or false"
    case is [Any].Type: "an array"
    case is [String: Any].Type: "an object"
    default: "\(type)".hasPrefix("Array") ? "an array" : "an object"
    }
  }
}
