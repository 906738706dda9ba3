/// The values of an array in slices: each holds all values along some of the axes.
package struct AxisSlices: Sendable {
  /// Where each slice begins, in C order of the other axes.
  package let starts: [Int]
  /// Where the values of a slice are, counted from its start, in C order of the axes.
  package let offsets: [Int]

  /// The slices of an array of `shape` along `axes`, which are indices in ascending order.
  package init(of shape: [Int], along axes: [Int]) {
    starts = Self.places(shape, shape.indices.filter { !axes.contains($0) })
    offsets = Self.places(shape, axes)
  }

  /// The places along `axes` where the index along every other axis is 0.
  private static func places(_ shape: [Int], _ axes: [Int]) -> [Int] {
    var places = [0]
    for axis in axes {
      let stride = shape[(axis + 1)...].reduce(1, *)
      places = places.flatMap { place in (0..<shape[axis]).map { place + $0 * stride } }
    }
    return places
  }
}
