/// Tensors whose names differ in one word, such as `q`, `k` and `v` of a layer, and the tensors of B that have the
/// same words.
struct SiblingNames {
  /// Names that are equal except for the word at one index.
  private struct Family: Hashable {
    let words: [String]
    let place: Int
  }

  /// Indices in B by indices in A.
  private(set) var homes: [Int: Int] = [:]

  /// Finds siblings of A whose values are siblings in B, whatever the rest of their names is there.
  ///
  /// Numbers do not count, because networks number their layers in different ways.
  /// - Parameter images: the tensor of B that has the values of a tensor of A, by index.
  init(_ a: [String], _ b: [String], images: [Int: Int]) {
    let families = Self.families(of: b.map(NameWords.init))
    var familiesOfB: [Int: [(family: Family, word: String)]] = [:]
    for (family, members) in families {
      for (place, word) in members { familiesOfB[place, default: []].append((family, word)) }
    }
    for members in Self.families(of: a.map(NameWords.init)).values.sorted(by: Self.isEarlier) {
      let moved = members.compactMap { place, word in images[place].map { (place, word, $0) } }
      guard moved.count == members.count else { continue }
      let shared = moved.map { _, _, image in Set((familiesOfB[image] ?? []).map(\.family)) }
      guard let first = shared.first else { continue }
      let common = shared.dropFirst().reduce(first) { $0.intersection($1) }
      guard common.count == 1, let family = common.first, let others = families[family] else {
        continue
      }
      add(moved, Dictionary(others.map { ($0.word, $0.place) }) { first, _ in first })
    }
  }

  /// Adds the tensors of a family whose words also occur in the other one, if those have each other's values.
  private mutating func add(
    _ members: [(place: Int, word: String, image: Int)], _ others: [String: Int]
  ) {
    let known = members.filter { others[$0.word] != nil }
    guard known.count > 1, Set(known.map(\.image)) == Set(known.compactMap { others[$0.word] })
    else { return }
    for member in known where homes[member.place] == nil {
      homes[member.place] = others[member.word]
    }
  }

  private static func isEarlier(
    _ a: [(place: Int, word: String)], _ b: [(place: Int, word: String)]
  ) -> Bool {
    (a.first?.place ?? 0, a.count) < (b.first?.place ?? 0, b.count)
  }

  /// Returns the members of each family of at least two, by the words that distinguish them.
  private static func families(
    of names: [NameWords]
  ) -> [Family: [(place: Int, word: String)]] {
    var found: [Family: [(place: Int, word: String)]] = [:]
    for (tensor, name) in names.enumerated() {
      for (place, word) in name.all.enumerated() where !NameWords.isNumber(word) {
        var words = name.all
        words[place] = ""
        found[Family(words: words, place: place), default: []]
          .append((tensor, NameWords.meaning(of: word)))
      }
    }
    return found.filter { _, members in
      members.count > 1 && Set(members.map(\.word)).count == members.count
    }
  }
}
