/// Zeros as placeholders for values that do not exist yet.
package struct PlannedValues: TensorSource {
  /// The number of values.
  package let count: Int

  /// Creates a source of `count` zeros.
  package init(count: Int) { self.count = count }

  /// float32, as no file is involved.
  package var elementType: ElementType { .float32 }

  /// Fills `values` with zeros.
  package func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    values.update(repeating: 0)
  }
}
