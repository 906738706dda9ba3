import ImageFilters
import ModelIR
import Transforms

/// How samples go into an input with channels first: they have its order of axes, or channels last.
///
/// What is done to pixels is done with channels last, as the steps are defined.
struct SampleOrder {
  /// The order that the samples have.
  let order: PixelStep.AxisOrder
  /// Whether they fit in the other order too.
  let isAmbiguous: Bool
  /// The shape of a sample as it is fed.
  let shape: [Int]

  private let axes: ArrayAxes
  private let steps: [PixelStep]

  /// How samples of some shape, prepared by `steps`, go into an input: in the source's order where they fit in it.
  ///
  /// - Parameter axes: the orders of the input.
  /// - Returns: `nil` if the input has one order alone, the steps have a say in it, or no order fits.
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

  /// The shape that a sample of some order is fed in; `nil` if it does not fit.
  private static func shape(
    _ sample: [Int], _ order: PixelStep.AxisOrder, _ axes: ArrayAxes, _ steps: [PixelStep]
  ) -> [Int]? {
    guard sample.count == axes.shape.rank else { return nil }
    var image = PixelBatch(
      shape: order == .channelsLast ? sample : ArrayAxes.turned(sample, to: .channelsLast),
      values: [])
    // A step for images of another kind.
    guard (try? image.apply(steps)) != nil else { return nil }
    let shape = ArrayAxes.turned(image.shape, to: .channelsFirst)
    return Shape(shape).isCompatible(with: axes.shape) ? shape : nil
  }

  /// The samples of an array as the model takes them.
  ///
  /// - Throws: `usage` if they cannot be prepared.
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
  /// Whether the step says where the channels are.
  fileprivate var movesChannels: Bool { if case .axes = self { true } else { false } }
}
