/// The contiguous ranges that make up a box-shaped part of a dense array, in order.
///
/// All have the same length.
public struct Runs: RandomAccessCollection, Sendable {
  /// A dimension of the array and the range of the box along it.
  struct Dimension {
    var size: Int
    var range: Range<Int>
  }

  /// The number of values of each run.
  public let length: Int
  private let first: Int
  private let outer: [(count: Int, stride: Int)]

  /// Creates the runs of the box that `dimensions` span, outermost first.
  init(_ dimensions: [Dimension]) {
    var stride = 1
    var length = 1
    var first = 0
    var isWhole = true
    var outer: [(count: Int, stride: Int)] = []
    for dimension in dimensions.reversed() {
      first += dimension.range.lowerBound * stride
      if isWhole {
        length *= dimension.range.count
      } else {
        outer.append((dimension.range.count, stride))
      }
      isWhole = isWhole && dimension.range.count == dimension.size
      stride *= dimension.size
    }
    self.length = length
    self.first = first
    self.outer = outer
  }

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of runs.
  public var endIndex: Int { outer.reduce(1) { $0 * $1.count } }

  /// Returns the range of the run at `index` in the array.
  public subscript(index: Int) -> Range<Int> {
    var rest = index
    var start = first
    for loop in outer {
      start += rest % loop.count * loop.stride
      rest /= loop.count
    }
    return start..<start + length
  }

  /// Returns the ranges in the array for `part` of the box, whose values are numbered consecutively.
  public func places(of part: Range<Int>) -> [Range<Int>] {
    guard !part.isEmpty else { return [] }
    return (part.lowerBound / length...(part.upperBound - 1) / length).map { index in
      let run = self[index]
      let offset = run.lowerBound - index * length
      return part.clamped(to: index * length..<(index + 1) * length).shifted(by: offset)
    }
  }
}

extension Range<Int> {
  func shifted(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
