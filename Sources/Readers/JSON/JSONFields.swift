import Documents
import ModelIR

/// A JSON object without unknown keys, because an unknown key might change the result.
struct JSONFields: Sendable {
  /// The path of the object for messages: `config.layers[0]`; empty for the document itself.
  let place: String
  private let members: [String: JSONValue]

  /// Reads the members of `value`.
  ///
  /// - Parameter known: The keys that the reader uses or ignores; `nil` to accept all keys.
  /// - Throws: `badData` if `value` is not an object, or has an unknown key.
  init(_ value: JSONValue?, at place: String, known: Set<String>?) throws(NetconvError) {
    guard case .object(let members) = value ?? .null else {
      throw .wrongField(place, value, expected: "an object")
    }
    if let known, let other = members.keys.filter({ !known.contains($0) }).min() {
      throw .unknownField(other, in: place, known: known)
    }
    self.place = place
    self.members = members
  }

  var keys: [String] { members.keys.sorted() }

  /// The value of a key; `nil` if it is missing or null.
  subscript(key: String) -> JSONValue? { JSONValue.object(members)[key] }

  /// Returns the path of a key, for messages.
  func path(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

  /// Returns a size: an integer from 1 to about a million.
  func size(_ key: String, default standard: Int? = nil) throws(NetconvError) -> Int {
    guard let value = self[key] else {
      guard let standard else { throw .missingField(path(key)) }
      return standard
    }
    return try value.size(at: path(key))
  }

  /// Returns the elements of an array.
  func list(_ key: String) throws(NetconvError) -> [JSONValue] {
    guard let value = self[key] else { throw .missingField(path(key)) }
    guard let elements = value.array else {
      throw .wrongField(path(key), value, expected: "a list")
    }
    return elements
  }

  /// Returns a Boolean.
  func bool(_ key: String, default standard: Bool? = nil) throws(NetconvError) -> Bool {
    guard let value = self[key] else {
      guard let standard else { throw .missingField(path(key)) }
      return standard
    }
    guard let truth = value.bool else {
      throw .wrongField(path(key), value, expected: "true or false")
    }
    return truth
  }

  /// Returns a finite number.
  func number(_ key: String, default standard: Double? = nil) throws(NetconvError) -> Double {
    guard let value = self[key] else {
      guard let standard else { throw .missingField(path(key)) }
      return standard
    }
    guard let number = value.double, number.isFinite else {
      throw .wrongField(path(key), value, expected: "a finite number")
    }
    return number
  }

  /// Returns a string.
  func string(_ key: String, default standard: String? = nil) throws(NetconvError) -> String {
    guard let value = self[key] else {
      guard let standard else { throw .missingField(path(key)) }
      return standard
    }
    guard let text = value.string else {
      throw .wrongField(path(key), value, expected: "a text")
    }
    return text
  }
}

extension JSONValue {
  /// The largest size that a document may state.
  private static let largestSize = 1 << 20

  /// Returns an integer of at least 1.
  func size(at path: String) throws(NetconvError) -> Int {
    guard let size = int, (1...Self.largestSize).contains(size) else {
      throw .wrongField(
        path, self, expected: "a whole number from 1 to \(Self.largestSize)")
    }
    return size
  }

  /// Returns a number rounded to float32.
  ///
  /// - Throws: `badData` if the value is not a number, or not finite.
  func float(at path: String) throws(NetconvError) -> Float {
    guard let number = double, case let value = Float(number), value.isFinite else {
      throw .wrongField(path, self, expected: "a number that float32 holds")
    }
    return value
  }

  /// The shape of nested arrays, given by the first element of each.
  var nestedShape: [Int] {
    guard let elements = array else { return [] }
    return [elements.count] + (elements.first?.nestedShape ?? [])
  }

  /// Returns the numbers of nested arrays of `shape`, in C order.
  ///
  /// - Throws: `badData` with the path of the first array or number that does not conform.
  func numbers(_ shape: ArraySlice<Int>, at path: String) throws(NetconvError) -> [Float] {
    guard let size = shape.first else { return [try float(at: path)] }
    guard let elements = array, elements.count == size else {
      throw .wrongField(path, self, expected: "a list of \(size)")
    }
    var numbers: [Float] = []
    for (index, element) in elements.enumerated() {
      numbers += try element.numbers(shape.dropFirst(), at: "\(path)[\(index)]")
    }
    return numbers
  }
}
