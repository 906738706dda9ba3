import ModelDSL
import ModelIR

/// A layer and the images that it gets.
struct LayerCase: Sendable {
  let height: Int
  let width: Int
  let channels: Int
  let images: Int
  let layer: any NetworkLayer

  init(
    _ height: Int, _ width: Int, _ channels: Int, images: Int = 1, _ layer: any NetworkLayer
  ) {
    self.height = height
    self.width = width
    self.channels = channels
    self.images = images
    self.layer = layer
  }

  /// A model of this layer alone.
  func model() throws(NetconvError) -> Model {
    let input = Input(width: width, height: height, channels: channels, name: "images")
    return try Model(input: input, output: input --> layer) { _, count, _ in
      StoredTensor(smallValues(count))
    }
  }
}
