import ModelIR

/// The shapes that an array may have whose axes lie in a given order.
///
/// A shape is known by where its dimensions end, as numbers of values: (5, 3, 4, 2) ends dimensions at 5, 15 and 60,
/// (5, 24) at 5. So dimensions of size 1 make no difference, and what merges neighbouring axes ends at some of the same
/// places. Another order of axes of different sizes ends at other places.
struct ArrangedShape {
  private let layout: Layout
  private let sizes: [Axis: Int]

  init(_ layout: Layout, _ sizes: [Axis: Int]) {
    self.layout = layout
    self.sizes = sizes
  }

  /// Whether `shape` keeps the order, though it may merge neighbouring axes.
  func fits(_ shape: [Int]) -> Bool { Self.ends(shape).isSubset(of: axisEnds) }

  /// Whether `shape` has a dimension for each axis, in this order.
  func isShown(by shape: [Int]) -> Bool { Self.ends(shape) == axisEnds }

  private var axisEnds: Set<Int> { Self.ends(layout.axes.map { sizes[$0] ?? 1 }) }

  /// The axes that `shape`, which fits, merges and the layout does not.
  func axesHidden(by shape: [Int]) -> [Axis] {
    let seen = Self.ends(shape)
    let wanted = Self.ends((try? layout.shape(sizes)) ?? [])
    var hidden: [Axis] = []
    var group: [Axis] = []
    var isMerged = false
    var end = 1
    for axis in layout.axes where sizes[axis] ?? 1 > 1 {
      end *= sizes[axis] ?? 1
      group.append(axis)
      if seen.contains(end) {
        if isMerged { hidden += group }
        group = []
        isMerged = false
      } else if wanted.contains(end) {
        isMerged = true
      }
    }
    return isMerged ? hidden + group : hidden
  }

  /// After how many values a dimension ends, the last one's end aside.
  private static func ends(_ shape: [Int]) -> Set<Int> {
    var end = 1
    let ends = shape.map { size in
      end *= size
      return end
    }
    return Set(ends).subtracting([1, end])
  }
}
