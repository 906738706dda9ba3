import ModelIR
import Operators

// Sequences: operations that exist only for images treat them as images of one row.
extension MPSGraphPlan {
  /// Adds a reshape from (length, channels) to an image of one row, (1, length, channels).
  mutating func row(_ input: Value, _ layer: Layer) -> Value {
    let shape = input.shape.planar
    return add(
      .graph("reshape", "shape: \(shape.batched)"), input, part: "Input", of: layer, shape: shape)
  }

  /// Adds a call on an image, and a reshape back to a sequence if the image stands for one.
  mutating func added(
    _ call: MPSGraphCall, _ image: Value, part: String = "", of layer: Layer, shape: [Int]
  ) -> Value {
    guard image.shape.count > shape.count else {
      return add(call, image, part: part, of: layer, shape: shape)
    }
    let row = add(call, image, part: part + "Row", of: layer, shape: shape.planar)
    return add(
      .graph("reshape", "shape: \(shape.batched)"), row, part: part, of: layer, shape: shape)
  }

  /// Adds a layer over sequences as an operation on images; `nil` if the layer is not one of these.
  ///
  /// - Throws: `badData` if no operation computes an activation.
  mutating func line(
    _ input: Value, _ layer: Layer, _ shape: [Int]
  ) throws(NetconvError) -> Value? {
    switch layer.operation {
    case let operation as Convolution1D:
      return try convolution(row(input, layer), Self.image(operation), layer, shape)
    case let operation as DepthwiseConvolution1D:
      return try depthwise(row(input, layer), Self.image(operation), layer, shape)
    case let operation as SeparableConvolution1D:
      return try separable(row(input, layer), Self.image(operation), layer, shape)
    case let operation as TransposedConvolution1D:
      return try transposed(row(input, layer), Self.image(operation), layer, shape)
    case let operation as MaxPooling1D:
      return pooling(.maxPooling, row(input, layer), operation.planar.window, layer, shape)
    case let operation as AveragePooling1D:
      return pooling(.averagePooling, row(input, layer), operation.planar.window, layer, shape)
    default: return nil
    }
  }

  /// The equivalent operator over images of one row.
  private static func image<Line: LineOperator & ActivatedOperator>(
    _ operation: Line
  ) -> Line.Planar where Line.Planar: ActivatedOperator {
    var image = operation.planar
    image.activation = operation.activation
    return image
  }
}
