/// Zeros in the place of values that are not there yet.
package struct PlannedValues: TensorSource {
  /// How many.
  package let count: Int

  /// So many zeros.
  package init(count: Int) { self.count = count }

  /// Of no file.
  package var elementType: ElementType { .float32 }

  /// Zeros.
  package func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    values.update(repeating: 0)
  }
}
