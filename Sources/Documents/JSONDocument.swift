import FoundationEssentials
import ModelIR

/// Reading and writing JSON documents, with errors that name the place in the document.
public enum JSONDocument {
  /// The most bytes that a document may have.
  public static let sizeLimit = 256 << 20

  /// Decodes a document.
  ///
  /// - Parameters:
  ///   - type: what it holds.
  ///   - bytes: UTF-8.
  ///   - name: what messages call a document that is not a file of its own.
  /// - Throws: `badData` naming the place, what was found and what was expected.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8], named name: String? = nil
  ) throws(NetconvError) -> Value {
    do throws(NetconvError) {
      return try decode(type, bytes)
    } catch {
      guard let name else { throw error }
      throw NetconvError(error.kind, "\(name): \(error.message)", details: error.details)
    }
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, _ bytes: [UInt8]
  ) throws(NetconvError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch let error as DecodingError {
      if case .dataCorrupted = error, let mistake = JSONSyntaxCheck.firstMistake(in: bytes) {
        throw .invalidJSON(mistake)
      }
      throw .invalidDocument(error)
    } catch let error as NetconvError {
      throw error
    } catch {
      throw .undecodable("\(error)")
    }
  }

  /// Encodes a document: sorted keys, two spaces, a newline at the end; the same value gives the same bytes.
  ///
  /// - Throws: `internal` if a value cannot be written as JSON, such as an infinite number.
  public static func encode(_ value: some Encodable) throws(NetconvError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return JSONLayout.layOut(Array(try encoder.encode(value))) + [0x0a]
    } catch {
      throw .cannotEncode("\(error)")
    }
  }
}
