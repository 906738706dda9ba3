import ModelIR

/// The texts of all errors that this module throws.
extension NetconvError {
  static func tensorCalledAsTexts(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "a tensor is named \(quoted(name)), which safetensors reserves for metadata; write another format"
    )
  }

  static func invalidJSON(_ mistake: JSONParser.Mistake) -> NetconvError {
    NetconvError(
      .badData,
      "is not JSON: \(mistake.message), in line \(mistake.line), column \(mistake.column)")
  }

  static var unfitNumber: NetconvError {
    NetconvError(
      .badData,
      "holds a number that is too large, or one with a fraction where a whole number is expected")
  }

  static func twoPreparations(of input: String) -> NetconvError {
    NetconvError(
      .badData,
      "the input \(quoted(input)) has a scale or offset beside its preprocessing; write them as preprocessing steps"
    )
  }

  static var reversedWithoutLayout: NetconvError {
    NetconvError(
      .badData, "'reversed' needs 'layout', which names the axes")
  }

  static func parameterWithoutFile(_ role: String) -> NetconvError {
    NetconvError(
      .badData,
      "the parameter \(quoted(role)) names no file beside the description; if its values are among other weights, "
        + "read those, with this description as their graph")
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

  static var modelOrWeights: NetconvError {
    NetconvError(
      .badData, "a manifest holds either 'model' or 'weights'; this one holds neither or both")
  }

  static var noPlace: NetconvError {
    NetconvError(.badData, "a tensor of the manifest has no location; convert the model again")
  }

  static func unknownPlace(_ format: String) -> NetconvError {
    NetconvError(
      .badData, "a tensor of the manifest has a location in the unknown format \(quoted(format))")
  }

  static func noSafetensors(_ size: Int) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(size) bytes and is not a safetensors file, which begins with an 8-byte length")
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

  static var wrongSafetensorsHeader: NetconvError {
    NetconvError(
      .badData,
      "its safetensors header is not an object of tensors, with texts in '__metadata__'")
  }

  static var wrongSafetensorsTensor: NetconvError {
    NetconvError(
      .badData, "expected dtype, shape and data_offsets in the safetensors header; it is damaged")
  }

  static func unknownSafetensorsType(_ type: String) -> NetconvError {
    let known = SafetensorsType.allCases.map(\.rawValue).sorted()
    return NetconvError(
      .badData,
      "dtype \(quoted(type)) is unknown; expected one of \(known.joined(separator: ", "))")
  }

  static func partOfByte(_ bits: Int, shape: [Int], type: String) -> NetconvError {
    NetconvError(
      .badData, "takes \(bits) bits (\(shape) of \(type)), which is no whole number of bytes")
  }

  static func safetensorsOutside(_ start: Int, _ end: Int, dataSize: Int) -> NetconvError {
    NetconvError(
      .badData,
      "is at bytes \(start) to \(end) of the values, which have \(dataSize) bytes")
  }

  static func wrongSafetensorsLength(
    _ found: Int, expected: Int, shape: [Int], type: SafetensorsType
  ) -> NetconvError {
    NetconvError(
      .badData, "holds \(found) bytes, expected \(expected) (\(shape) of \(type.name))")
  }

  static func overlappingTensors(_ start: Int) -> NetconvError {
    NetconvError(.badData, "begins at byte \(start) of the values, inside another tensor")
  }

  static func uncoveredBytes(_ range: Range<Int>) -> NetconvError {
    NetconvError(
      .badData,
      "no tensor covers the bytes \(range.lowerBound) to \(range.upperBound) of the values; safetensors "
        + "has no holes")
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
