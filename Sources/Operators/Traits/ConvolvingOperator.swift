/// An operator that sums products of a kernel and a sliding window.
package protocol ConvolvingOperator: SummingOperator, WindowedOperator {
  /// The size of the kernel.
  var kernelSize: SpatialSize<Space> { get set }
  /// The stride: the distance between outputs, in input positions.
  var strides: SpatialSize<Space> { get set }
  /// The dilation: the distance between taps, in input positions.
  var dilation: SpatialSize<Space> { get set }
  /// The padding at the edges, with zeros.
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
