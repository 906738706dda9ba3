/// Names for the layers of a model: those that were given, and others for the rest.
struct NodeNames {
  /// Names that were given; no other layer may be called so.
  private var taken: Set<String>
  private var counts: [String: Int] = [:]

  init(taken: Set<String>) {
    self.taken = taken
  }

  /// `pool_1`, `pool_2`, …: the next one that is free.
  ///
  /// - Parameter first: the number to begin with.
  mutating func next(_ kind: String, from first: Int = 1) -> String {
    var number = counts[kind, default: first]
    while !taken.insert("\(kind)_\(number)").inserted { number += 1 }
    counts[kind] = number + 1
    return "\(kind)_\(number)"
  }

  /// Takes a name as it is.
  ///
  /// - Returns: whether it was free.
  mutating func take(_ name: String) -> Bool { taken.insert(name).inserted }
}
