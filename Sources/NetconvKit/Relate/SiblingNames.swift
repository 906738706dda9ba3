/// Tensors whose names differ in one word: `q`, `k` and `v` of a layer, and which of B have the words of which of A.
struct SiblingNames {
  /// Names that are alike but for the word at one place.
  private struct Family: Hashable {
    let words: [String]
    let place: Int
  }

  /// The places in B, by those in A.
  private(set) var homes: [Int: Int] = [:]

  /// Finds siblings of A whose values are siblings in B, however the rest of their names is called there.
  ///
  /// Numbers do not count: networks number their layers as they like.
  /// - Parameter images: which tensor of B has the values of one of A, by its place.
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

  /// Adds the tensors of a family whose words the other has too, if these have each other's values.
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

  /// The members of each family of at least two, with the words that tell them apart.
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
