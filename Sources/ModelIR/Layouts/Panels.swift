/// The panels of a rearrangement, each computed on access: the whole list may not fit in memory.
public struct Panels: RandomAccessCollection, Sendable {
  /// The loops of the rearrangement, in the order of the destination.
  private let dimensions: [StridedCopy.Dimension]
  /// The extent of a panel along each loop, less at the ends.
  private let counts: [Int]
  /// The order of the loops that panels are enumerated in, outermost first.
  private let order: [Int]
  /// The number of panels.
  public let count: Int

  /// Creates panels of `counts` values along each loop, or of the remainder at the ends; the first loop of `order` is
  /// outermost.
  init(_ dimensions: [StridedCopy.Dimension], counts: [Int], order: [Int]) {
    self.dimensions = dimensions
    self.counts = counts
    self.order = order
    count = dimensions.indices.reduce(1) { $0 * Self.parts(dimensions[$1].size, of: counts[$1]) }
  }

  /// Creates an empty collection.
  init() {
    (dimensions, counts, order, count) = ([], [], [], 0)
  }

  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of panels.
  public var endIndex: Int { count }

  /// Returns the panel at `position`.
  public subscript(position: Int) -> Panel {
    precondition(indices.contains(position), "panel \(position) of \(count)")
    var rest = position
    var box = dimensions.map { 0..<$0.size }
    for index in order.reversed() {
      let size = dimensions[index].size
      let parts = Self.parts(size, of: counts[index])
      let start = rest % parts * counts[index]
      box[index] = start..<Swift.min(start + counts[index], size)
      rest /= parts
    }
    return Panel(dimensions: dimensions, box: box)
  }

  private static func parts(_ size: Int, of count: Int) -> Int {
    size / count + (size % count == 0 ? 0 : 1)
  }
}
