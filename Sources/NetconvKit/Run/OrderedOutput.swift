import ModelIR
import Transforms

/// An output of a run in the requested order of axes.
struct OrderedOutput {
  /// The name of the output.
  let name: String
  /// The values of the output.
  let array: NDArray<Float>
  /// The order of its axes; `nil` if source and model use the same.
  let axes: PixelStep.AxisOrder?

  /// Rearranges an output of the model to the order that was requested.
  ///
  /// - Parameter orders: the orders that the array may have; `nil` if there is only one.
  init(_ name: String, _ array: NDArray<Float>, _ orders: ArrayAxes?, in wanted: OutputAxes) {
    let order: PixelStep.AxisOrder = wanted == .source ? .channelsFirst : .channelsLast
    self.name = name
    self.array = orders?.moved(array, from: orders?.order ?? order, to: order) ?? array
    axes = orders.map { _ in order }
  }
}
