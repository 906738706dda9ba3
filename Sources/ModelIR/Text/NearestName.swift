/// Returns the known name that was probably meant by an unknown one.
///
/// Names are compared without regard to case. A name is similar if at most a third of its characters have to be
/// inserted, removed, replaced or exchanged with their neighbour (`Desne`, `--tagret`); otherwise if it starts with the
/// same three characters and contains the rest in the same order (`Conv2D` for `Convolution2D`, `--weights` for
/// `--weights-only`).
/// - Returns: the most similar name, the first in case of a tie; `nil` if none is similar, or if `name` is longer than
///   realistic names. Source: the distance of Damerau and Levenshtein, restricted to substrings that are edited once.
package func nearest(to name: String, among names: some Sequence<String>) -> String? {
  guard (1...longestName).contains(name.utf8.count) else { return nil }
  let wanted = Array(name.lowercased())
  let candidates = names.lazy.filter { $0.utf8.count <= longestName }
    .map { (name: $0, characters: Array($0.lowercased())) }
  var best: (name: String, distance: Int)?
  for candidate in candidates {
    let distance = editDistance(wanted, candidate.characters)
    let bound = max(1, max(wanted.count, candidate.characters.count) / 3)
    guard distance <= bound, distance < min(wanted.count, candidate.characters.count),
      distance < best?.distance ?? .max
    else { continue }
    best = (candidate.name, distance)
  }
  return best?.name
    ?? candidates.filter { isShort(wanted, for: $0.characters) }
    .min { $0.characters.count < $1.characters.count }?.name
}

/// Returns the end of a message about an unknown name: `; did you mean 'Dense'?`, or an empty string if no name is
/// similar.
package func didYouMean(_ name: String, among names: some Sequence<String>) -> String {
  nearest(to: name, among: names).map { "; did you mean \(quoted($0))?" } ?? ""
}

/// Returns the same ending for a path such as `bn/gamma`, whose last component must be similar as well: `bn/beta` is
/// not suggested.
package func didYouMean(path name: String, among names: some Sequence<String>) -> String {
  let word = lastPart(of: name)
  return didYouMean(
    name,
    among: names.filter { other in
      let last = lastPart(of: other)
      return last == word || nearest(to: word, among: [last]) != nil
    })
}

private func lastPart(of name: String) -> String {
  String(name.split { "/.".contains($0) }.last ?? "")
}

/// The maximum length in bytes of a name to compare; names come from files.
private let longestName = 128

/// Returns true if `short` has the same first characters as `long` and omits some of the rest.
private func isShort(_ short: [Character], for long: [Character]) -> Bool {
  let beginning = 3
  guard short.count > beginning, short.prefix(beginning) == long.prefix(beginning) else {
    return false
  }
  var rest = long[...]
  return short.allSatisfy { character in
    guard let place = rest.firstIndex(of: character) else { return false }
    rest = rest[(place + 1)...]
    return true
  }
}

/// Returns the number of insertions, removals, replacements and exchanges of neighbours.
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var distance = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        distance = min(distance, beforeLast[j - 1] + 1)
      }
      row.append(distance)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
