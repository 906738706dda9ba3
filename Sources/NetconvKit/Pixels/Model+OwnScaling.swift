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
    switch layer.operation {
    case is Rescaling: layer
    case let operation as Normalization: operation.invert ? nil : layer
    case is Identity, is Reshape, is Flatten, is Permute, is ZeroPadding2D, is Cropping2D,
      is CenterCrop, is Resizing, is UpSampling2D, is RepeatVector:
      ownScaling(of: layer.name, depth: depth - 1)
    default: nil
    }
  }
}

extension Layer {
  /// Whether the layer, the first that scales, is for pixels of up to 255, or of up to 1; `nil` if it does not tell.
  var expectsLargePixels: Bool? {
    switch operation {
    case let rescaling as Rescaling:
      let largest = rescaling.scale.map(\.magnitude).max() ?? 1
      if largest <= 0.05 { return true }
      return largest > 1 ? false : nil
    case let normalization as Normalization:
      guard let means = normalization.statistics?.mean, let largest = means.max() else {
        return nil
      }
      if largest > 1.5 { return true }
      return largest > 0 ? false : nil
    default: return nil
    }
  }
}
