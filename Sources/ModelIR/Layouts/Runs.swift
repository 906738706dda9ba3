/// The stretches of consecutive values that a box-shaped part of an array without gaps consists of, in order.
///
/// All are equally long.
public struct Runs: RandomAccessCollection, Sendable {
  /// A dimension of the array and the part of it that the box takes.
  struct Dimension {
    var size: Int
    var range: Range<Int>
  }

  /// The values of each stretch.
  public let length: Int
  private let first: Int
  private let outer: [(count: Int, stride: Int)]

  /// The stretches of the box that `dimensions` span, outermost first.
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

  /// 0.
  public var startIndex: Int { 0 }

  /// How many there are.
  public var endIndex: Int { outer.reduce(1) { $0 * $1.count } }

  /// The places of stretch number `index` in the array.
  public subscript(index: Int) -> Range<Int> {
    var rest = index
    var start = first
    for loop in outer {
      start += rest % loop.count * loop.stride
      rest /= loop.count
    }
    return start..<start + length
  }

  /// The places of the values at `part` of the box, as if its values followed one another.
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
