import ModelIR
import Operators

extension TFJSLayer {
  /// A layer that has no arrays.
  ///
  /// - Throws: `badData` if TensorFlow.js has none.
  init(withoutWeights layer: Layer) throws(NetconvError) {
    switch layer.operation {
    case let pooling as MaxPooling1D:
      self.init("MaxPooling1D", Self.pooling(pooling.poolSize, pooling.strides, pooling.padding))
    case let pooling as MaxPooling2D:
      self.init("MaxPooling2D", Self.pooling(pooling.poolSize, pooling.strides, pooling.padding))
    case let pooling as AveragePooling1D:
      self.init(
        "AveragePooling1D", Self.pooling(pooling.poolSize, pooling.strides, pooling.padding))
    case let pooling as AveragePooling2D:
      self.init(
        "AveragePooling2D", Self.pooling(pooling.poolSize, pooling.strides, pooling.padding))
    case let pooling as GlobalAveragePooling1D:
      try self.init(global: "GlobalAveragePooling1D", pooling.keepDimensions)
    case let pooling as GlobalAveragePooling2D:
      try self.init(global: "GlobalAveragePooling2D", pooling.keepDimensions)
    case let pooling as GlobalMaxPooling1D:
      try self.init(global: "GlobalMaxPooling1D", pooling.keepDimensions)
    case let pooling as GlobalMaxPooling2D:
      try self.init(global: "GlobalMaxPooling2D", pooling.keepDimensions)
    case is Flatten: self.init("Flatten", [])
    case let reshape as Reshape: self.init("Reshape", [("target_shape", .sizes(reshape.shape))])
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
      // TensorFlow.js takes the corners of pixels, and Keras their middle.
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
    case is Add: self.init("Add", [])
    case is Multiply: self.init("Multiply", [])
    case is Average: self.init("Average", [])
    case is Maximum: self.init("Maximum", [])
    case is Minimum: self.init("Minimum", [])
    default: throw .notInTFJS(type(of: layer.operation).name)
    }
  }

  private init(global className: String, _ keepsDimensions: Bool) throws(NetconvError) {
    guard !keepsDimensions else {
      throw .notInTFJS("global pooling that keeps its axes")
    }
    self.init(className, [])
  }

  private static func pooling<Space>(
    _ size: SpatialSize<Space>, _ strides: SpatialSize<Space>, _ padding: Padding
  ) -> [(String, JSONValue)] {
    [
      ("pool_size", .sizes(size.sizes)), ("strides", .sizes(strides.sizes)),
      ("padding", .string(padding.rawValue)), ("data_format", .string("channels_last")),
    ]
  }
}
