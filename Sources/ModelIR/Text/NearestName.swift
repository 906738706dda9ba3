/// The name that was probably meant by one that is not known.
///
/// Names are compared without regard to case. A name is near if at most a third of its characters have to be
/// inserted, removed, replaced or exchanged with their neighbour (`Desne`, `--tagret`); otherwise if it
/// begins with three of the same characters and has the rest in the same order (`Conv2D` for `Convolution2D`,
/// `--weights` for `--weights-only`).
/// - Returns: the nearest, the first of several that are equally near; `nil` if none is near, or `name` is longer
///   than any name that people write.
/// Source: the distance is that of Damerau and Levenshtein, restricted to strings that are edited once.
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

/// The end of a message about a name that is not known: `; did you mean 'Dense'?`, or nothing if none is near.
package func didYouMean(_ name: String, among names: some Sequence<String>) -> String {
  nearest(to: name, among: names).map { "; did you mean \(quoted($0))?" } ?? ""
}

/// The same of a name of parts, such as `bn/gamma`, whose last part says what is meant: one whose last part is another word,
/// such as `bn/beta`, is not near.
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

/// The most bytes of a name that is compared; names come from files.
private let longestName = 128

/// Whether `short` begins as `long` does and leaves out some of the rest.
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

/// How many characters have to be inserted, removed, replaced or exchanged with their neighbour.
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
