import ModelIR

/// A mapping from the indices of a broadcast array to those of the array with axes of size 1.
package struct BroadcastPlaces: Sendable {
  private let shape: [Int]
  private let strides: [Int]

  /// Creates the mapping for an array of shape `small` that is broadcast to shape `large`.
  package init(of small: [Int], in large: [Int]) {
    shape = large
    var strides: [Int] = []
    var stride = 1
    for size in small.reversed() {
      strides.insert(size == 1 ? 0 : stride, at: 0)
      stride *= size
    }
    self.strides = strides
  }

  /// Returns the index in the small array for an index in the large one.
  package subscript(_ index: Int) -> Int {
    var (rest, place) = (index, 0)
    for axis in strides.indices.reversed() {
      place += rest % shape[axis] * strides[axis]
      rest /= shape[axis]
    }
    return place
  }
}

/// Returns the broadcast sizes of the first `rank` axes: the largest along each axis; others must be 1.
///
/// - Parameter rank: the number of axes to include.
/// - Throws: `badData` if two sizes differ and neither is 1.
func broadcastSizes(of inputs: [Shape], rank: Int) throws(NetconvError) -> [Int?] {
  var dimensions: [Int?] = []
  for axis in 0..<rank {
    let sizes = inputs.map { $0.dimensions[axis] }
    let large = Set(sizes.compactMap(\.self)).subtracting([1])
    guard large.count <= 1 else { throw .differentShapes(inputs) }
    dimensions.append(large.first ?? (sizes.contains(nil) ? nil : 1))
  }
  return dimensions
}

/// Returns the broadcast shape of arrays with the same rank.
///
/// - Throws: `badData` if ranks differ, or if two sizes differ and neither is 1.
func broadcastShape(of inputs: [Shape]) throws(NetconvError) -> Shape {
  guard inputs.allSatisfy({ $0.rank == inputs[0].rank }) else { throw .differentShapes(inputs) }
  return Shape(try broadcastSizes(of: inputs, rank: inputs[0].rank))
}

/// Returns the effect of an element-wise combination on the order of flattened values.
func pointFlow(of inputs: [Shape]) -> AxisFlow {
  let shapes = Set(inputs.filter { $0.dimensions.contains { $0 != 1 } })
  return shapes.count <= 1 ? .elementwise : .other
}

/// Combines inputs of the same rank element by element, with broadcasting.
func broadcast(
  _ inputs: [NDArray<Double>], _ combine: ([Double]) -> Double
) throws(NetconvError) -> NDArray<Double> {
  let shape = try broadcastShape(of: inputs.map { Shape($0.shape) })
  guard let size = shape.known else { throw .unknownSize(shape) }
  var y = try NDArray<Double>(shape: size)
  let places = inputs.map { BroadcastPlaces(of: $0.shape, in: size) }
  for index in y.values.indices {
    y.values[index] = combine(zip(inputs, places).map { $0.values[$1[index]] })
  }
  return y
}
