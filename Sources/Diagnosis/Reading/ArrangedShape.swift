import ModelIR

/// The possible shapes of an array with a given order of axes.
///
/// A shape is identified by the cumulative products of its sizes: (5, 3, 4, 2) has 5, 15 and 60,
/// and (5, 24) has 5. Dimensions of size 1 make no difference, and a shape with merged axes has a
/// subset of the products. Another order of axes of different sizes has other products.
struct ArrangedShape {
  private let layout: Layout
  private let sizes: [Axis: Int]

  init(_ layout: Layout, _ sizes: [Axis: Int]) {
    self.layout = layout
    self.sizes = sizes
  }

  /// True if `shape` preserves the order, possibly with merged axes.
  func fits(_ shape: [Int]) -> Bool { Self.ends(shape).isSubset(of: axisEnds) }

  /// True if `shape` has a dimension for each axis in this order.
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

  /// The cumulative products of the sizes, without the total.
  private static func ends(_ shape: [Int]) -> Set<Int> {
    var end = 1
    let ends = shape.map { size in
      end *= size
      return end
    }
    return Set(ends).subtracting([1, end])
  }
}
