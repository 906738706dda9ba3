/// The slices of an array: each contains all values along some of the axes.
package struct AxisSlices: Sendable {
  /// The offset of each slice, in row-major order of the other axes.
  package let starts: [Int]
  /// The offsets of a slice's values from its start, in row-major order of its axes.
  package let offsets: [Int]

  /// Creates the slices of an array of `shape` along `axes`, which are indices in ascending order.
  package init(of shape: [Int], along axes: [Int]) {
    starts = Self.places(shape, shape.indices.filter { !axes.contains($0) })
    offsets = Self.places(shape, axes)
  }

  /// Returns the offsets along `axes`, with index 0 along all other axes.
  private static func places(_ shape: [Int], _ axes: [Int]) -> [Int] {
    var places = [0]
    for axis in axes {
      let stride = shape[(axis + 1)...].reduce(1, *)
      places = places.flatMap { place in (0..<shape[axis]).map { place + $0 * stride } }
    }
    return places
  }
}
