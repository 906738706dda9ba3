import ModelIR

/// An array as a loader reports it.
package struct ReportedArray: Sendable {
  /// The values in memory order.
  package let values: [Float]
  /// The shape, if reported.
  package let shape: [Int]?
  /// The axis order that the loader intends; `nil` for that of the file.
  package let layout: Layout?

  /// Creates an array with `values`.
  package init(_ values: [Float], shape: [Int]? = nil, layout: Layout? = nil) {
    self.values = values
    self.shape = shape
    self.layout = layout
  }
}
