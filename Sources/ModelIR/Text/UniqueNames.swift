/// Names of which no two are equal: one that is taken gets a number.
package struct UniqueNames: Sendable {
  private let separator: String
  private let first: Int
  private let key: @Sendable (String) -> String
  private var taken: Set<String>
  /// The number that the next of a name can begin to try with.
  private var numbers: [String: Int] = [:]

  /// - Parameters:
  ///   - separator: what stands between a name and its number.
  ///   - first: the number that the second of a name gets.
  ///   - taken: what no name can be.
  ///   - key: what has to differ of two names.
  package init(
    separator: String, from first: Int = 2, besides taken: Set<String> = [],
    comparing key: @escaping @Sendable (String) -> String = { $0 }
  ) {
    self.separator = separator
    self.first = first
    self.key = key
    self.taken = taken
  }

  /// `name`, with a number if it is taken.
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
