/// The words of a tensor's name: `layers.0.q_proj.weight` is `layers`, `0`, `q`, `proj`, `weight`.
struct NameWords {
  /// The words in lower case, split at punctuation, between letters and digits, and before capitals.
  let all: [String]

  init(_ name: String) {
    var words: [String] = []
    var last: Character?
    for character in name {
      if character.isLetter || character.isNumber {
        let goes =
          last.map { last in
            last.isNumber == character.isNumber && !(last.isLowercase && character.isUppercase)
          } ?? false
        if goes, let open = words.popLast() {
          words.append(open + character.lowercased())
        } else {
          words.append(character.lowercased())
        }
        last = character
      } else {
        last = nil
      }
    }
    all = words
  }

  /// Returns the canonical form of a word; those of attention have short and long forms.
  static func meaning(of word: String) -> String { meanings[word] ?? word }

  /// True if a word is a number; networks number their layers in different ways.
  static func isNumber(_ word: String) -> Bool { word.allSatisfy(\.isNumber) }

  private static let meanings: [String: String] = [
    "q": "query", "wq": "query", "queries": "query", "k": "key", "wk": "key", "keys": "key",
    "v": "value", "wv": "value", "values": "value",
  ]

  /// Returns the distinct words of names that differ in one word alone; `nil` if they differ otherwise.
  ///
  /// Among queries, keys and values, only the word for the role counts, whatever else differs.
  static func marks(of names: [NameWords]) -> [String]? {
    guard names.count > 1, let first = names.first?.all else { return nil }
    if names.allSatisfy({ $0.all.count == first.count }) {
      let differing = first.indices.filter { place in
        names.contains { $0.all[place] != first[place] }
      }
      if differing.count == 1, let place = differing.first {
        let found = names.map { meaning(of: $0.all[place]) }
        return Set(found).count == found.count ? found : nil
      }
    }
    let ofAttention = Set(meanings.values)
    let found = names.map { $0.all.map(meaning).filter(ofAttention.contains) }
    guard found.allSatisfy({ $0.count == 1 }) else { return nil }
    let marks = found.flatMap(\.self)
    return Set(marks).count == marks.count ? marks : nil
  }

  /// Returns the order in which the name of a joined tensor lists `marks`: `qkv`, `gate_up`, `in_proj`; `nil` if it
  /// does not list them.
  func order(of marks: [String]) -> [String]? {
    let wanted = Set(marks)
    let meanings = all.map(Self.meaning)
    for start in meanings.indices where start + marks.count <= meanings.count {
      let part = Array(meanings[start..<start + marks.count])
      if Set(part) == wanted { return part }
    }
    let ofAttention = ["q": "query", "k": "key", "v": "value"]
    for word in all {
      let letters = (word.first == "w" ? word.dropFirst() : word[...]).map {
        ofAttention[String($0)]
      }
      let known = letters.compactMap(\.self)
      if known.count == letters.count, known.count == marks.count, Set(known) == wanted {
        return known
      }
    }
    // The joined projections of PyTorch's attention, and of GPT-2's.
    let isJoined = [["in", "proj"], ["c", "attn"]].contains { pair in
      zip(all, all.dropFirst()).contains { [$0, $1] == pair }
    }
    let usual = ["query", "key", "value"]
    return isJoined && wanted == Set(usual) ? usual : nil
  }
}
