import ModelIR

/// Where the values of an array are that another array of the same rank sees repeated: along axes of size 1.
package struct BroadcastPlaces: Sendable {
  private let shape: [Int]
  private let strides: [Int]

  /// The places of an array of shape `small`, as an array of shape `large` sees it.
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

  /// The index in the small array for an index in the large one.
  package subscript(_ index: Int) -> Int {
    var (rest, place) = (index, 0)
    for axis in strides.indices.reversed() {
      place += rest % shape[axis] * strides[axis]
      rest /= shape[axis]
    }
    return place
  }
}

/// The sizes of arrays whose values are combined place by place: of each axis the largest; others are 1.
///
/// - Parameter rank: the axes that are looked at, the first ones.
/// - Throws: `badData` if two sizes are neither the same nor 1.
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

/// The shape of arrays of one rank whose values are combined index by index.
///
/// - Throws: `badData` if ranks differ, or two sizes are neither the same nor 1.
func broadcastShape(of inputs: [Shape]) throws(NetconvError) -> Shape {
  guard inputs.allSatisfy({ $0.rank == inputs[0].rank }) else { throw .differentShapes(inputs) }
  return Shape(try broadcastSizes(of: inputs, rank: inputs[0].rank))
}

/// What a combination of values at the same index does to the order of a flatten.
func pointFlow(of inputs: [Shape]) -> AxisFlow {
  let shapes = Set(inputs.filter { $0.dimensions.contains { $0 != 1 } })
  return shapes.count <= 1 ? .elementwise : .other
}

/// The values of inputs of one rank, combined index by index.
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
