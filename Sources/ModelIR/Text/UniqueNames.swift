/// A generator of unique names: a name that is taken gets a numeric suffix.
package struct UniqueNames: Sendable {
  private let separator: String
  private let first: Int
  private let key: @Sendable (String) -> String
  private var taken: Set<String>
  /// The number to try next for each name.
  private var numbers: [String: Int] = [:]

  /// - Parameters:
  ///   - separator: the text between a name and its number.
  ///   - first: the number for the second use of a name.
  ///   - taken: reserved names.
  ///   - key: returns the part of a name that must be unique.
  package init(
    separator: String, from first: Int = 2, besides taken: Set<String> = [],
    comparing key: @escaping @Sendable (String) -> String = { $0 }
  ) {
    self.separator = separator
    self.first = first
    self.key = key
    self.taken = taken
  }

  /// Returns `name`, with a number if it is taken.
  package mutating func next(_ name: String) -> String {
    let own = key(name)
    var unique = name
    var number = numbers[own, default: first]
    while !taken.insert(key(unique)).inserted {
      unique = "\(name)\(separator)\(number)"
      number += 1
    }
    numbers[own] = number
    return unique
  }
}
