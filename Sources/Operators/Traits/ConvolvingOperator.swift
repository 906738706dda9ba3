/// An operator that sums products with a kernel under a window that slides over its input.
package protocol ConvolvingOperator: SummingOperator, WindowedOperator {
  /// The size of the kernel.
  var kernelSize: SpatialSize<Space> { get set }
  /// The distance of two outputs, in places of the input.
  var strides: SpatialSize<Space> { get set }
  /// The distance of two taps, in places of the input.
  var dilation: SpatialSize<Space> { get set }
  /// What happens at the edges; the padding is zeros.
  var padding: Padding { get set }
}

extension ConvolvingOperator {
  /// The sliding window.
  package var window: Window<Space> {
    get { Window(size: kernelSize, strides: strides, dilation: dilation, padding: padding) }
    set {
      (kernelSize, strides) = (newValue.size, newValue.strides)
      (dilation, padding) = (newValue.dilation, newValue.padding)
    }
  }

  /// Zeros.
  package var surroundings: Surroundings { .zeros }
}
