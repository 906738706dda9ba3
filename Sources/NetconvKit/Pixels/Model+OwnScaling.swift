import ModelIR
import Operators

extension Model {
  /// Returns the layer that scales an input inside the network, if every path from the input leads to one through
  /// layers that only move values.
  ///
  /// - Parameter depth: the maximum number of such layers on a path; few networks have many.
  func ownScaling(of input: String, depth: Int = 32) -> Layer? {
    guard depth > 0, !outputs.contains(input) else { return nil }
    var first: Layer?
    for layer in layers where layer.inputs.contains(input) {
      guard let found = ownScaling(layer, depth) else { return nil }
      first = first ?? found
    }
    return first
  }

  private func ownScaling(_ layer: Layer, _ depth: Int) -> Layer? {
    if let operation = layer.operation as? any PixelScalingOperator {
      return operation.scalesPixels ? layer : nil
    }
    guard layer.operation.valueEffect != .computed, layer.inputs.count == 1 else { return nil }
    return ownScaling(of: layer.name, depth: depth - 1)
  }
}

extension Layer {
  /// True if the scaling layer expects pixels up to 255, false if up to 1; `nil` if it does not determine that.
  var expectsLargePixels: Bool? {
    (operation as? any PixelScalingOperator)?.expectsLargePixels
  }
}
