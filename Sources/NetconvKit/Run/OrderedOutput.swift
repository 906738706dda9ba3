import ModelIR
import Transforms

/// An output of a run in the order of axes that was asked for.
struct OrderedOutput {
  /// The layer.
  let name: String
  /// What it gives.
  let array: NDArray<Float>
  /// The order of its axes; `nil` where that is the same in source and model.
  let axes: PixelStep.AxisOrder?

  /// What the model gives, put into the order of `wanted`.
  ///
  /// - Parameter orders: that the array may have; `nil` if that is one alone.
  init(_ name: String, _ array: NDArray<Float>, _ orders: ArrayAxes?, in wanted: OutputAxes) {
    let order: PixelStep.AxisOrder = wanted == .source ? .channelsFirst : .channelsLast
    self.name = name
    self.array = orders?.moved(array, from: orders?.order ?? order, to: order) ?? array
    axes = orders.map { _ in order }
  }
}
