import ModelIR
import TestSupport
import Testing

/// Views against the definition: the value at each index comes from the place that its coordinates have in the source.
@Suite struct StridedTensorSourceTests {
  /// A view, and the places of its values in the source by the definition.
  private struct View {
    let source: StridedTensorSource
    let places: [Int]

    /// - Parameters:
    ///   - shape: the shape of the source.
    ///   - order: for each axis of the view, the axis of the source.
    init(_ shape: [Int], _ order: [Int]) {
      var strides = [Int](repeating: 1, count: shape.count)
      for axis in shape.indices.dropLast().reversed() {
        strides[axis] = strides[axis + 1] * shape[axis + 1]
      }
      let count = shape.reduce(1, *)
      places = (0..<count).map { index in
        var (rest, place) = (index, 0)
        for axis in order.reversed() {
          place += rest % shape[axis] * strides[axis]
          rest /= shape[axis]
        }
        return place
      }
      source = StridedTensorSource(
        ArraySource(ramp(count)), offset: 0, sizes: order.map { shape[$0] },
        strides: order.map { strides[$0] })
    }

    func expectValues(_ range: Range<Int>) throws {
      let found: [Float] = try source.values(range)
      let wide: [Double] = try source.values(range)
      let expected = places[range].map(Float.init)
      #expect(found == expected, "\(range)")
      #expect(wide == expected.map(Double.init), "\(range)")
    }
  }

  @Test("each range of each permutation of axes has the values of the definition")
  func small() throws {
    for shape in [[5], [2, 3], [3, 2, 4], [2, 1, 3, 2], [1, 1, 4]] {
      for order in permutations(of: Array(shape.indices)) {
        let view = View(shape, order)
        for start in 0..<view.places.count {
          for end in start...view.places.count { try view.expectValues(start..<end) }
        }
      }
    }
  }

  /// Arrays of which a part spans more values than are read at a time, so that it is split.
  @Test(
    "parts that are read in several steps have the values of the definition",
    arguments: [
      ([700, 513], [1, 0]), ([3, 257, 401], [0, 2, 1]), ([3, 257, 401], [2, 0, 1]),
      ([3, 257, 401], [1, 0, 2]), ([4, 2, 64, 600], [0, 2, 1, 3]),
      ([33, 9, 9, 130], [3, 0, 1, 2]),
    ])
  func large(shape: [Int], order: [Int]) throws {
    let view = View(shape, order)
    let count = view.places.count
    try view.expectValues(0..<count)
    // Starts and ends on no boundary of an axis.
    for step in 1...8 {
      let start = step * count / 11 + 7 * step
      try view.expectValues(start..<min(count, start + step * count / 17 + 1))
    }
  }
}
