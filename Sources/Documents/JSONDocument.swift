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
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch let error as DecodingError {
      guard isJSON(bytes) else { throw .notJSON }
      throw .invalidDocument(error)
    } catch let error as NetconvError {
      throw error
    } catch {
      throw .unreadable("\(error)")
    }
  }

  /// Whether `bytes` are JSON of any kind.
  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    struct Anything: Decodable {
      init(from decoder: any Decoder) {}
    }
    return (try? JSONDecoder().decode(Anything.self, from: Data(bytes))) != nil
  }

  /// Encodes a document: sorted keys, two spaces, a newline at the end; the same value gives the same bytes.
  ///
  /// - Throws: `internal` if a value cannot be written as JSON, such as an infinite number.
  public static func encode(_ value: some Encodable) throws(NetconvError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(value)) + [0x0a]
    } catch {
      throw .cannotEncode("\(error)")
    }
  }
}
