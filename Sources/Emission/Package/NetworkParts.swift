/// Consecutive steps of a network, in parts that are short enough for a function each.
///
/// The time that the compiler needs for a function grows with the square of the calls in it that throw.
struct NetworkParts {
  /// No function of a package has more steps.
  static let largest = 50

  /// The steps of each part; a single part, if all of them fit into a function.
  let ranges: [Range<Int>]

  /// Parts of so many steps that they can be read: a part ends where few of its values are read later.
  ///
  /// - Parameters:
  ///   - reads: the steps whose values each step reads.
  ///   - outputs: the steps whose values are read in the end.
  init(reads: [[Int]], outputs: [Int]) {
    // The last step that reads each value.
    var last = Array(reads.indices)
    for (step, sources) in reads.enumerated() {
      for source in sources { last[source] = step }
    }
    for output in outputs { last[output] = reads.count }
    var ranges: [Range<Int>] = []
    var start = 0
    while reads.count - start > Self.largest {
      let ends = start + Self.largest / 2...start + Self.largest
      let waiting = ends.map { end in (0..<end).count { last[$0] >= end } }
      let fewest = waiting.min() ?? 0
      let end = ends.lowerBound + (waiting.lastIndex(of: fewest) ?? 0)
      ranges.append(start..<end)
      start = end
    }
    self.ranges = ranges + [start..<reads.count]
  }

  /// Whether a function is not enough.
  var areSeveral: Bool { ranges.count > 1 }
}

/// What a part of a network takes from others and gives to others.
struct PartEnds<Value: Hashable> {
  /// In the order in which they are read first.
  private(set) var takes: [Value] = []
  /// In the order in which they are made.
  private(set) var gives: [Value] = []

  /// - Parameters:
  ///   - part: the steps of the part.
  ///   - reads: the values that each step of the network reads.
  ///   - makes: the value that each step makes.
  ///   - outputs: the values that are read in the end.
  init(of part: Range<Int>, reads: [[Value]], makes: [Value], outputs: [Value]) {
    let made = Set(makes[part])
    var taken: Set<Value> = []
    for value in reads[part].joined() where !made.contains(value) && taken.insert(value).inserted {
      takes.append(value)
    }
    let elsewhere = Set(outputs).union(reads[part.upperBound...].joined())
    gives = makes[part].filter(elsewhere.contains)
  }
}
