extension Layout {
  /// Returns the sets of axes that could be exchanged without changing the shape: their order is correct only if the
  /// declared layout is.
  ///
  /// All assignments of axes to dimensions that yield the given sizes are considered. Two axes are in the same set if
  /// such an assignment puts one of them where the other was, or if both are merged in the same dimension, whose size
  /// does not depend on their order. Axes of size 1 move no value; they are in no set.
  ///
  /// - Parameter sizes: the size of each axis; an axis that is not listed has size 1.
  /// - Returns: the sets of at least two axes, and the axes in each, in the order of the layout.
  package func interchangeableAxes(_ sizes: [Axis: Int]) -> [[Axis]] {
    let places = dimensions.enumerated().flatMap { index, dimension in
      dimension.axes.filter { sizes[$0] ?? 1 > 1 }.map { (axis: $0, dimension: index) }
    }
    var sets = AxisSets(places.map(\.axis))
    for (axis, other) in zip(places, places.dropFirst()) where axis.dimension == other.dimension {
      sets.join(axis.axis, other.axis)
    }
    var rooms = dimensions.map { $0.axes.reduce(1) { $0 * (sizes[$1] ?? 1) } }
    var chosen: [Int] = []
    func distribute(_ index: Int) {
      guard index < places.count else {
        // The remaining axes of each dimension must have size 1.
        guard rooms.allSatisfy({ $0 == 1 }) else { return }
        for (place, dimension) in zip(places, chosen) where place.dimension != dimension {
          for other in places where other.dimension == dimension {
            sets.join(place.axis, other.axis)
          }
        }
        return
      }
      let size = sizes[places[index].axis] ?? 1
      for dimension in rooms.indices where rooms[dimension] % size == 0 {
        rooms[dimension] /= size
        chosen.append(dimension)
        distribute(index + 1)
        chosen.removeLast()
        rooms[dimension] *= size
      }
    }
    // The number of assignments grows with the number of axes; no kernel has more.
    if places.count <= 6 { distribute(0) }
    return sets.all
  }
}

extension Tensor {
  /// The sets of axes whose order the shape in the source does not determine; see ``Layout/interchangeableAxes(_:)``.
  ///
  /// Empty for a parameter whose axes have no meaning: their order is not declared.
  package var ambiguities: [[Axis]] {
    spec.kind == .unknown ? [] : storedLayout.interchangeableAxes(spec.sizes)
  }
}

/// A partition of axes into sets.
private struct AxisSets {
  private var sets: [[Axis]]

  /// Creates one set for each axis.
  init(_ axes: [Axis]) {
    sets = axes.map { [$0] }
  }

  mutating func join(_ a: Axis, _ b: Axis) {
    guard let first = sets.firstIndex(where: { $0.contains(a) }),
      let second = sets.firstIndex(where: { $0.contains(b) }), first != second
    else { return }
    sets[min(first, second)] += sets[max(first, second)]
    sets.remove(at: max(first, second))
  }

  /// The sets with more than one axis.
  var all: [[Axis]] { sets.filter { $0.count > 1 } }
}
