/// The order of the rows of a tensor in another, as nested loops: the place of each row by its index.
///
/// Some of the places are known. Those of other rows follow from the loops.
struct RowOrder: Equatable {
  /// The place of each row.
  let places: [Int]

  /// One in so many known rows may be at another place than the loops say.
  private static let leastShare = 6
  /// The most loops.
  private static let mostLoops = 5

  /// Finds the loops in which most of the known rows are; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - count: the number of rows.
  ///   - known: the places of some rows by their index.
  init?(count: Int, known: [Int: Int]) {
    let pairs = known.map { (row: $0.key, place: $0.value) }.sorted { $0.row < $1.row }
    guard let loops = Self.loops(count, pairs, depth: 0) else { return nil }
    places = (0..<count).map { row in
      var (rest, place) = (row, loops.base)
      for loop in loops.digits.reversed() {
        place += rest % loop.size * loop.stride
        rest /= loop.size
      }
      return place
    }
    let wrong = pairs.count { places[$0.row] != $0.place }
    guard wrong * Self.leastShare <= pairs.count else { return nil }
  }

  /// The loops, slowest first.
  private typealias Loops = (base: Int, digits: [(size: Int, stride: Int)])

  private static func loops(
    _ count: Int, _ known: [(row: Int, place: Int)], depth: Int
  ) -> Loops? {
    guard !known.isEmpty, depth < mostLoops else { return nil }
    if count == 1 { return mode(known.map(\.place)).map { ($0.value, []) } }
    for size in stride(from: count, through: 2, by: -1) where count.isMultiple(of: size) {
      guard let (step, starts) = innermost(size, known),
        let outer = loops(count / size, starts, depth: depth + 1)
      else { continue }
      return (outer.base, outer.digits + [(size, step)])
    }
    return nil
  }

  /// The stride of a loop of `size` rows, and the place of the first row of each such block; `nil` if too few of the known
  /// rows are in one.
  private static func innermost(
    _ size: Int, _ known: [(row: Int, place: Int)]
  ) -> (stride: Int, starts: [(row: Int, place: Int)])? {
    var steps: [Int] = []
    for (first, second) in zip(known, known.dropFirst()) where first.row / size == second.row / size
    {
      let (step, rest) = (second.place - first.place).quotientAndRemainder(
        dividingBy: second.row - first.row)
      if rest == 0, step != 0 { steps.append(step) }
    }
    guard let step = mode(steps)?.value else { return nil }
    var starts: [(row: Int, place: Int)] = []
    var agreeing = 0
    var index = 0
    while index < known.count {
      let block = known[index].row / size
      let members = known[index...].prefix { $0.row / size == block }
      guard let start = mode(members.map { $0.place - $0.row % size * step }) else { return nil }
      starts.append((block, start.value))
      agreeing += start.count
      index += members.count
    }
    return (known.count - agreeing) * leastShare <= known.count ? (step, starts) : nil
  }

  /// The most frequent value, the smallest of equally frequent ones.
  private static func mode(_ values: [Int]) -> (value: Int, count: Int)? {
    let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
  }
}
