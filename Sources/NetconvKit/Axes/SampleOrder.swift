import ImageFilters
import ModelIR
import Transforms

/// The order of axes of samples for an input with channels first: that of the input, or channels last.
///
/// Preprocessing runs with channels last, as its steps are defined.
struct SampleOrder {
  /// The order of axes of the samples.
  let order: PixelStep.AxisOrder
  /// True if the samples also fit in the other order.
  let isAmbiguous: Bool
  /// The shape in which a sample is fed.
  let shape: [Int]

  private let axes: ArrayAxes
  private let steps: [PixelStep]

  /// Finds the order in which samples of a shape, preprocessed by `steps`, fit an input; the source's order takes
  /// precedence.
  ///
  /// - Parameter axes: the orders of the input.
  /// - Returns: `nil` if the input has only one order, a step sets the order itself, or no order fits.
  init?(_ sample: [Int], into axes: ArrayAxes?, _ steps: [PixelStep]) {
    guard let axes, !steps.contains(where: \.movesChannels) else { return nil }
    let fits = [PixelStep.AxisOrder.channelsFirst, .channelsLast].compactMap { order in
      Self.shape(sample, order, axes, steps).map { (order: order, shape: $0) }
    }
    guard let first = fits.first else { return nil }
    order = first.order
    shape = first.shape
    isAmbiguous = fits.count > 1 && sample.contains { $0 != 1 }
    self.axes = axes
    self.steps = steps
  }

  /// Returns the shape in which a sample with an order is fed; `nil` if it does not fit.
  private static func shape(
    _ sample: [Int], _ order: PixelStep.AxisOrder, _ axes: ArrayAxes, _ steps: [PixelStep]
  ) -> [Int]? {
    guard sample.count == axes.shape.rank else { return nil }
    var image = PixelBatch(
      shape: order == .channelsLast ? sample : ArrayAxes.reordered(sample, to: .channelsLast),
      values: [])
    // A step may not apply to such images.
    guard (try? image.apply(steps)) != nil else { return nil }
    let shape = ArrayAxes.reordered(image.shape, to: .channelsFirst)
    return Shape(shape).isCompatible(with: axes.shape) ? shape : nil
  }

  /// Returns the samples of an array as the model expects them.
  ///
  /// - Throws: `usage` if they cannot be preprocessed.
  func prepared(_ array: NDArray<Float>) throws(NetconvError) -> NDArray<Float> {
    guard !steps.isEmpty, let count = array.shape.first else {
      return axes.moved(array, from: order, to: .channelsFirst)
    }
    let images = axes.moved(array, from: order, to: .channelsLast)
    var batch = PixelBatch(shape: Array(images.shape.dropFirst()), values: images.values)
    try batch.apply(steps)
    return axes.moved(
      NDArray(shape: [count] + batch.shape, values: batch.values), from: .channelsLast,
      to: .channelsFirst)
  }
}

extension PixelStep {
  /// True if the step sets the position of the channel axis.
  fileprivate var movesChannels: Bool { if case .axes = self { true } else { false } }
}
