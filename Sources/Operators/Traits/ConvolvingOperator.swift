/// An operator that sums products with a kernel under a window that slides over its input.
package protocol ConvolvingOperator: SummingOperator, WindowedOperator {
  /// Rows and columns of the kernel.
  var kernelSize: Size2D { get set }
  /// The distance of two outputs, in input pixels.
  var strides: Size2D { get set }
  /// The distance of two taps, in input pixels.
  var dilation: Size2D { get set }
  /// What happens at the edges; the padding is zeros.
  var padding: Padding { get set }
}

extension ConvolvingOperator {
  /// The sliding window.
  package var window: Window2D {
    get { Window2D(size: kernelSize, strides: strides, dilation: dilation, padding: padding) }
    set {
      (kernelSize, strides) = (newValue.size, newValue.strides)
      (dilation, padding) = (newValue.dilation, newValue.padding)
    }
  }

  /// Zeros.
  package var surroundings: Surroundings { .zeros }
}
