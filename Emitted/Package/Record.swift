import Foundation

/// An object of a JSON document.
///
/// `Decodable` types would do the same with some 4 kB of code for each.
public struct NAMERecord {
  private let values: [String: Any]

  /// The object that a document consists of.
  public init(json document: Data) throws {
    self.init(try JSONSerialization.jsonObject(with: document) as? [String: Any] ?? [:])
  }

  private init(_ values: [String: Any]) { self.values = values }

  /// A number, a text, or an array of them; nil if there is none.
  public func optional<Value>(_ key: String) -> Value? { values[key] as? Value }

  /// A number, a text, or an array of them.
  public func value<Value>(_ key: String) throws -> Value {
    guard let value: Value = optional(key) else {
      throw NAMEError("\(key) is missing, or no \(Value.self)")
    }
    return value
  }

  /// An object inside of this one.
  public func record(_ key: String) throws -> NAMERecord { NAMERecord(try value(key)) }

  /// The objects of an array.
  public func records(_ key: String) throws -> [NAMERecord] {
    let objects: [[String: Any]] = try value(key)
    return objects.map { NAMERecord($0) }
  }
}
