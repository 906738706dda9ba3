import ModelIR
import Operators

extension Model {
  /// The layer that scales the pixels of an input inside the network: what everybody reads of it, behind layers that
  /// only move pixels.
  ///
  /// - Parameter depth: how many of such layers are looked through; nobody has many.
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
  /// Whether the layer, the first that scales, is for pixels of up to 255, or of up to 1; `nil` if it does not tell.
  var expectsLargePixels: Bool? {
    (operation as? any PixelScalingOperator)?.expectsLargePixels
  }
}
