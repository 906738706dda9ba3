extension Layout {
  /// Sets of axes that could be exchanged without the shape showing it: the order in which such axes are read is
  /// right only because somebody declares it.
  ///
  /// Considered is every way to distribute the axes over the dimensions that gives each dimension the size that it
  /// has. Two axes are in the same set if one of these ways has one of them in the place of the other, and if both
  /// lie in the same dimension, where any order has the same length. Axes of size 1 move no value; they are in no
  /// set.
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
        // Dimensions of size 1 have room left for axes of size 1 alone.
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
    // Ways multiply with the axes; no kernel has so many.
    if places.count <= 6 { distribute(0) }
    return sets.all
  }
}

extension Tensor {
  /// Sets of axes whose order the shape of the source does not show; see ``Layout/interchangeableAxes(_:)``.
  ///
  /// None for a parameter whose axes are only called by their places: nobody declares anything of them.
  package var ambiguities: [[Axis]] {
    spec.kind == .unknown ? [] : storedLayout.interchangeableAxes(spec.sizes)
  }
}

/// Axes, some of which belong together.
private struct AxisSets {
  private var sets: [[Axis]]

  /// Each of `axes` by itself.
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

  /// Those of several axes.
  var all: [[Axis]] { sets.filter { $0.count > 1 } }
}
