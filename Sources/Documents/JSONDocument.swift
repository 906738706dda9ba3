import FoundationEssentials
import ModelIR

/// Decoding and encoding of JSON documents, with errors that include the position in the document.
public enum JSONDocument {
  /// The maximum size of a document in bytes.
  public static let sizeLimit = 256 << 20

  /// Decodes a document.
  ///
  /// - Throws: `badData` with the position, the value found, and the expected value.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws(NetconvError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(JSONEscapes.exact(bytes)))
    } catch let error as DecodingError {
      // Foundation's decoder only reports that a text is not JSON; our parser reports the position.
      if case .dataCorrupted = error {
        _ = try parse(bytes)
      }
      throw .invalidDocument(error)
    } catch let error as NetconvError {
      throw error
    } catch {
      throw .unreadable("\(error)")
    }
  }

  /// Parses JSON without a fixed schema.
  ///
  /// - Parameter refusesRepeatedKeys: true if a repeated key in an object is an error; otherwise the last one counts.
  /// - Throws: `badData` with line and column of the first error.
  public static func parse(
    _ bytes: [UInt8], refusesRepeatedKeys: Bool = false
  ) throws(NetconvError) -> JSONValue {
    do throws(JSONParser.Mistake) {
      return try JSONParser.parse(bytes, refusesRepeatedKeys: refusesRepeatedKeys)
    } catch {
      throw .invalidJSON(error)
    }
  }

  /// Encodes a document with sorted keys, two-space indentation, and a trailing newline; equal values produce equal
  /// bytes.
  ///
  /// - Throws: `internal` if a value cannot be represented in JSON, such as infinity; or the error of a value that
  ///   cannot be encoded.
  public static func encode(_ value: some Encodable) throws(NetconvError) -> [UInt8] {
    JSONLayout.layOut(try encodeCompact(value)) + [0x0a]
  }

  /// Encodes a report like ``encode(_:)``, but with `null` for non-finite numbers.
  ///
  /// - Parameter words: returns the wording of remedies in messages.
  /// - Throws: as ``encode(_:)``.
  public static func encodeReport(
    _ value: some Encodable, words: @escaping Message.Words
  ) throws(NetconvError) -> [UInt8] {
    // The encoder can only replace such numbers by a string. A random string does not collide with the document's
    // strings.
    let mark = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
      .joined(separator: "-")
    let compact = try encodeCompact(
      value,
      notFinite: .convertToString(positiveInfinity: mark, negativeInfinity: mark, nan: mark),
      words: words)
    return JSONLayout.layOut(compact, nullFor: mark) + [0x0a]
  }

  /// Encodes a document with sorted keys and without white space.
  ///
  /// - Throws: as ``encode(_:)``.
  public static func encodeCompact(_ value: some Encodable) throws(NetconvError) -> [UInt8] {
    try encodeCompact(value, notFinite: .throw)
  }

  private static func encodeCompact(
    _ value: some Encodable, notFinite: JSONEncoder.NonConformingFloatEncodingStrategy,
    words: Message.Words? = nil
  ) throws(NetconvError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = notFinite
    if let words, let key = Message.words { encoder.userInfo[key] = words }
    do {
      return Array(try encoder.encode(value)).plainText
    } catch let error as NetconvError {
      throw error
    } catch {
      throw .cannotEncode("\(error)")
    }
  }
}

extension NetconvError {
  fileprivate static func invalidJSON(_ mistake: JSONParser.Mistake) -> NetconvError {
    NetconvError(
      .badData,
      "is not JSON: \(mistake.message), in line \(mistake.line), column \(mistake.column)")
  }
}
