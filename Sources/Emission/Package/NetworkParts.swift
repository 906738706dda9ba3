/// Consecutive steps of a network in parts, each short enough for one function.
///
/// The compile time of a function grows with the square of the number of throwing calls in it.
struct NetworkParts {
  /// The largest number of steps in a function.
  static let largest = 50

  /// The steps of each part; a single range if one function is enough.
  let ranges: [Range<Int>]

  /// Splits the steps where few values are read later.
  ///
  /// - Parameters:
  ///   - reads: The steps whose values each step reads.
  ///   - outputs: The steps whose values are outputs of the network.
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

  /// True if the network needs more than one function.
  var areSeveral: Bool { ranges.count > 1 }
}

/// The values that a part of a network reads from other parts and passes to them.
struct PartEnds<Value: Hashable> {
  /// The inputs in the order in which they are first read.
  private(set) var takes: [Value] = []
  /// The results in the order in which they are created.
  private(set) var gives: [Value] = []

  /// - Parameters:
  ///   - part: The steps of the part.
  ///   - reads: The values that each step of the network reads.
  ///   - makes: The value that each step creates.
  ///   - outputs: The values of the network's outputs.
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
