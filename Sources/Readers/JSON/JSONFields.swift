import Documents
import ModelIR

/// An object of a document whose every key must be known: one that is not might change what is computed.
struct JSONFields: Sendable {
  /// Where the object is, for messages: `config.layers[0]`; empty for the document itself.
  let place: String
  private let members: [String: JSONValue]

  /// The members of `value`.
  ///
  /// - Parameter known: the keys that its reader looks at, or may pass over; `nil` for any.
  /// - Throws: `badData` if it is no object, or has another key.
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

  /// The keys, in alphabetical order.
  var keys: [String] { members.keys.sorted() }

  /// The value of a key; `nil` if there is none, or it is null.
  subscript(key: String) -> JSONValue? { JSONValue.object(members)[key] }

  /// The place of a key, for messages.
  func path(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

  /// A size: a whole number from 1 to a million or so.
  func size(_ key: String, default standard: Int? = nil) throws(NetconvError) -> Int {
    guard let value = self[key] else {
      guard let standard else { throw .missingField(path(key)) }
      return standard
    }
    return try value.size(at: path(key))
  }

  /// The elements of a list.
  func list(_ key: String) throws(NetconvError) -> [JSONValue] {
    guard let value = self[key] else { throw .missingField(path(key)) }
    guard let elements = value.array else {
      throw .wrongField(path(key), value, expected: "a list")
    }
    return elements
  }

  /// A truth value.
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

  /// A finite number.
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

  /// A text.
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
  /// The most that a size of a document may be.
  private static let largestSize = 1 << 20

  /// A whole number from 1 on.
  func size(at path: String) throws(NetconvError) -> Int {
    guard let size = int, (1...Self.largestSize).contains(size) else {
      throw .wrongField(
        path, self, expected: "a whole number from 1 to \(Self.largestSize)")
    }
    return size
  }

  /// A number as the float32 that it stands for.
  ///
  /// - Throws: `badData` if it is none, or not finite.
  func float(at path: String) throws(NetconvError) -> Float {
    guard let number = double, case let value = Float(number), value.isFinite else {
      throw .wrongField(path, self, expected: "a number that float32 holds")
    }
    return value
  }

  /// The shape of lists in lists, by the first of each.
  var nestedShape: [Int] {
    guard let elements = array else { return [] }
    return [elements.count] + (elements.first?.nestedShape ?? [])
  }

  /// The numbers of lists in lists of `shape`, in C order.
  ///
  /// - Throws: `badData` with the place of the first list or number that is another.
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
