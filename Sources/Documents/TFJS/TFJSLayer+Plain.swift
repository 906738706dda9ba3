import ModelIR
import Operators

extension TFJSLayer {
  /// Creates a layer without arrays.
  ///
  /// - Throws: `badData` if TensorFlow.js has none.
  init(withoutWeights layer: Layer) throws(NetconvError) {
    switch layer.operation {
    case let pooling as MaxPooling1D: self.init("MaxPooling1D", try Self.pooling(pooling.window))
    case let pooling as MaxPooling2D: self.init("MaxPooling2D", try Self.pooling(pooling.window))
    case let pooling as AveragePooling1D:
      self.init("AveragePooling1D", try Self.pooling(pooling.window))
    case let pooling as AveragePooling2D:
      self.init("AveragePooling2D", try Self.pooling(pooling.window))
    case is GlobalAveragePooling1D: self.init("GlobalAveragePooling1D")
    case is GlobalAveragePooling2D: self.init("GlobalAveragePooling2D")
    case is GlobalMaxPooling1D: self.init("GlobalMaxPooling1D")
    case is GlobalMaxPooling2D: self.init("GlobalMaxPooling2D")
    case is Identity: self.init("Activation", [("activation", .string("linear"))])
    case is Flatten: self.init("Flatten")
    case let reshape as Reshape: self.init(reshape: layer, reshape.shape)
    case let permutation as Permute:
      self.init("Permute", [("dims", .sizes(permutation.order.map { $0 + 1 }))])
    case let repetition as RepeatVector:
      self.init("RepeatVector", [("n", .number(Double(repetition.count)))])
    case let padding as ZeroPadding2D:
      self.init(
        "ZeroPadding2D",
        [
          ("padding", .array(padding.padding.map(JSONValue.sizes))),
          ("data_format", .string("channels_last")),
        ])
    case let cropping as Cropping2D:
      self.init(
        "Cropping2D",
        [
          ("cropping", .array(cropping.cropping.map(JSONValue.sizes))),
          ("data_format", .string("channels_last")),
        ])
    case let scaling as UpSampling2D:
      // TensorFlow.js samples at the corners of pixels, Keras at their centres.
      guard scaling.interpolation == .nearest else {
        throw .notInTFJS("up-sampling by \(scaling.interpolation.rawValue), as Keras computes it")
      }
      self.init(
        "UpSampling2D",
        [
          ("size", .sizes(scaling.size.sizes)), ("interpolation", .string("nearest")),
          ("data_format", .string("channels_last")),
        ])
    case let scaling as Rescaling:
      guard scaling.scale.count <= 1, scaling.offset.count <= 1 else {
        throw .notInTFJS("a scale for each channel")
      }
      self.init(
        "Rescaling",
        [
          ("scale", .number(scaling.scale.first ?? 1)),
          ("offset", .number(scaling.offset.first ?? 0)),
        ])
    case let joined as Concatenate:
      self.init(
        "Concatenate",
        [("axis", .number(Double(joined.axis < 0 ? joined.axis : joined.axis + 1)))])
    case is Add: self.init("Add")
    case is Multiply: self.init("Multiply")
    case is Average: self.init("Average")
    case is Maximum: self.init("Maximum")
    case is Minimum: self.init("Minimum")
    default: throw .notInTFJS(type(of: layer.operation).name)
    }
  }

  /// Creates a reshape to the layer's output shape, or to `shape` if it is unknown.
  ///
  /// TensorFlow.js does not infer -1 before it runs, so the layers after it could not be built.
  init(reshape layer: Layer, _ shape: [Int]) {
    self.init("Reshape", [("target_shape", .sizes(layer.outputShape.known ?? shape))])
  }

  private static func pooling<Space>(
    _ window: Window<Space>
  ) throws(NetconvError) -> [Setting] {
    try settings(of: window, size: "pool_size")
  }
}
