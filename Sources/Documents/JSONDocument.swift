import FoundationEssentials
import ModelIR

/// Reading and writing JSON documents, with errors that name the place in the document.
public enum JSONDocument {
  /// The most bytes that a document may have.
  public static let sizeLimit = 256 << 20

  /// Decodes a document.
  ///
  /// - Throws: `badData` naming the place, what was found and what was expected.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws(NetconvError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(JSONEscapes.exact(bytes)))
    } catch let error as DecodingError {
      // Foundation's decoder only says that a text is no JSON; our parser says where.
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

  /// Reads JSON of no fixed shape.
  ///
  /// - Parameter refusesRepeatedKeys: whether a key that an object has twice is a mistake; else the last counts.
  /// - Throws: `badData` with line and column of the first mistake.
  public static func parse(
    _ bytes: [UInt8], refusesRepeatedKeys: Bool = false
  ) throws(NetconvError) -> JSONValue {
    do throws(JSONParser.Mistake) {
      return try JSONParser.parse(bytes, refusesRepeatedKeys: refusesRepeatedKeys)
    } catch {
      throw .invalidJSON(error)
    }
  }

  /// Encodes a document: sorted keys, two spaces, a newline at the end; the same value gives the same bytes.
  ///
  /// - Throws: `internal` if a value cannot be written as JSON, such as an infinite number; or what a value
  ///   throws that refuses to be written.
  public static func encode(_ value: some Encodable) throws(NetconvError) -> [UInt8] {
    JSONLayout.layOut(try encodeCompact(value)) + [0x0a]
  }

  /// Encodes a report, as ``encode(_:)`` does, but any number that is not finite is `null`.
  ///
  /// - Parameter words: how remedies in messages are worded.
  /// - Throws: as ``encode(_:)``.
  public static func encodeReport(
    _ value: some Encodable, words: @escaping Message.Words
  ) throws(NetconvError) -> [UInt8] {
    // The encoder can only write a text for such numbers. One that is drawn for this document alone is none of the
    // texts in it.
    let mark = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
      .joined(separator: "-")
    let compact = try encodeCompact(
      value,
      notFinite: .convertToString(positiveInfinity: mark, negativeInfinity: mark, nan: mark),
      words: words)
    return JSONLayout.layOut(compact, nullFor: mark) + [0x0a]
  }

  /// Encodes a document with sorted keys and nothing between its values.
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
