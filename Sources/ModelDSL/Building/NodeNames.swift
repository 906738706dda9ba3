/// The names of a model's layers: those that were given, and generated ones.
struct NodeNames {
  /// The given names, which no other layer may have.
  private var taken: Set<String>
  private var counts: [String: Int] = [:]

  init(taken: Set<String>) {
    self.taken = taken
  }

  /// Returns the next free name: `pool_1`, `pool_2`, ….
  ///
  /// - Parameter first: the number to start with.
  mutating func next(_ kind: String, from first: Int = 1) -> String {
    var number = counts[kind, default: first]
    while !taken.insert("\(kind)_\(number)").inserted { number += 1 }
    counts[kind] = number + 1
    return "\(kind)_\(number)"
  }

  /// Reserves a name.
  ///
  /// - Returns: true if it was free.
  mutating func take(_ name: String) -> Bool { taken.insert(name).inserted }
}
