/// The panels that a rearrangement is cut into, each made when it is asked for: there may be more than fit in memory.
public struct Panels: RandomAccessCollection, Sendable {
  /// The loops of the rearrangement, in the order of the destination.
  private let dimensions: [StridedCopy.Dimension]
  /// How far a panel goes along each loop, less at the ends.
  private let counts: [Int]
  /// The loops in the order in which panels follow one another, outermost first.
  private let order: [Int]
  /// The number of panels.
  public let count: Int

  /// Boxes of `counts`, or what is left at the ends; those of the first loop of `order` outermost.
  init(_ dimensions: [StridedCopy.Dimension], counts: [Int], order: [Int]) {
    self.dimensions = dimensions
    self.counts = counts
    self.order = order
    count = dimensions.indices.reduce(1) { $0 * Self.parts(dimensions[$1].size, of: counts[$1]) }
  }

  /// No panels.
  init() {
    (dimensions, counts, order, count) = ([], [], [], 0)
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// ``count``.
  public var endIndex: Int { count }

  /// A panel.
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
