import ModelIR
import Operators

/// Height and width, or steps and channels, exchanged.
enum SwappedSidesMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    windows(of: layer) + transposedInput(of: layer)
  }

  private static func windows(of layer: LayerCase) -> [Repair] {
    guard let window = layer.window else { return [] }
    let swapped = { @Sendable (size: Size2D) in Size2D(size.width, size.height) }
    let sides: [(String, WritableKeyPath<Window2D, Size2D> & Sendable)] = [
      ("window", \.size), ("strides", \.strides), ("dilation", \.dilation),
    ]
    return sides.compactMap { name, side in
      let size = window[keyPath: side]
      guard size.height != size.width, layer.parameters[.kernel] == nil else { return nil }
      return Repair(
        .swappedSides, "the \(name) is \(size) (height x width), expected \(swapped(size))",
        advice: "give the \(name) as height, width"
      ) { layer in
        layer.window?[keyPath: side] = swapped(size)
      }
    }
  }

  /// A transposed input: height and width, or steps and channels.
  private static func transposedInput(of layer: LayerCase) -> [Repair] {
    guard let first = layer.modelInputs.min(), [3, 4].contains(layer.inputs[first].rank),
      layer.inputs[first].shape[1] == layer.inputs[first].shape[2]
    else { return [] }
    let isImage = layer.inputs[first].rank == 4
    return [
      Repair(
        .swappedSides,
        "\(isImage ? "height and width" : "steps and channels") of the input are swapped",
        advice: isImage ? "feed the image row by row" : "feed the sequence step by step"
      ) { layer in
        layer.inputs[first] = layer.inputs[first].withSidesSwapped
      }
    ]
  }
}

extension NDArray<Float> {
  /// A batch of square images or sequences with their two axes transposed.
  fileprivate var withSidesSwapped: NDArray {
    let (side, channels) = (shape[1], rank == 4 ? shape[3] : 1)
    var swapped = self
    for index in values.indices {
      let (c, w) = (index % channels, index / channels % side)
      let (h, sample) = (index / channels / side % side, index / channels / side / side)
      swapped.values[((sample * side + w) * side + h) * channels + c] = values[index]
    }
    return swapped
  }
}
