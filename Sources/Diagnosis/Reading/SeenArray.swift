import ModelIR

/// What a loader says of an array that it has read.
package struct SeenArray: Sendable {
  /// The values, in the order in which they lie in memory.
  package let values: [Float]
  /// The size of each dimension, with as many values in all; `nil` if nothing is said of it.
  package let shape: [Int]?
  /// The order in which the loader holds the axes on purpose; `nil` for that of the file.
  package let layout: Layout?

  /// An array with `values`.
  package init(_ values: [Float], shape: [Int]? = nil, layout: Layout? = nil) {
    self.values = values
    self.shape = shape
    self.layout = layout
  }
}
