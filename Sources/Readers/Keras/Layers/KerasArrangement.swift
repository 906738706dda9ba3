import Documents
import ModelIR
import Operators

/// Concatenation, reshaping and transposition that the framework recorded as layers.
///
/// Source: keras/src/ops/numpy.py; TensorFlow, tf.concat, tf.reshape and tf.transpose. Shapes and axes include the
/// batch.
enum KerasArrangement: KerasLayerMapping {
  static let classNames = [
    "ops.Concatenate", "tf.concat", "ops.Reshape", "tf.reshape", "ops.Transpose",
    "tf.transpose", "tf.compat.v1.transpose", "ops.Pad",
  ]
  static let operators: [any Operator.Type] = [
    Concatenate.self, Reshape.self, Permute.self, ZeroPadding2D.self,
  ]
  static let refused = ["a batch that is not left alone", "Pad with anything but zeros"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    guard !layer.operands.isEmpty, layer.operands.allSatisfy({ $0 == .tensor }) else {
      throw .unsupportedOperands(layer.operands)
    }
    switch layer.className {
    case "ops.Concatenate", "tf.concat":
      return Concatenate(axis: try layer.axis("axis", default: -1))
    case "ops.Transpose": return try permute(layer, "axes")
    case "tf.transpose", "tf.compat.v1.transpose": return try permute(layer, "perm")
    case "ops.Reshape": return try reshape(layer, "newshape")
    case "ops.Pad": return try pad(layer)
    default: return try reshape(layer, "shape")
    }
  }

  private static func reshape(
    _ layer: KerasLayerConfig, _ key: String
  ) throws(NetconvError) -> any Operator {
    let shape = try layer.setting(
      key, default: nil, expected: "-1 for the batch, and the sizes"
    ) { value -> [Int]? in
      guard let elements = value.array, let batch = elements.first,
        batch == .null || batch.int == -1
      else { return nil }
      let sizes = elements.dropFirst().compactMap(\.int)
      return sizes.count == elements.count - 1 ? sizes : nil
    }
    return Reshape(shape: shape)
  }

  private static func permute(
    _ layer: KerasLayerConfig, _ key: String
  ) throws(NetconvError) -> any Operator {
    let order = try layer.setting(
      key, default: nil, expected: "each axis once, the batch first"
    ) { value -> [Int]? in
      let axes = (value.array ?? []).compactMap(\.int)
      guard axes.first == 0, axes.sorted() == Array(0..<axes.count) else { return nil }
      return axes.dropFirst().map { $0 - 1 }
    }
    return Permute(order: order)
  }

  private static func pad(_ layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    _ = try layer.setting("mode", default: true, expected: "\"constant\"") {
      $0.string == "constant" ? true : nil
    }
    _ = try layer.optionalSetting("constant_values", expected: "0") { $0.double == 0 ? true : nil }
    let borders = try layer.borders(
      "pad_width", axes: 4, expected: "[[0, 0], [top, bottom], [left, right], [0, 0]]")
    guard borders[0] == [0, 0], borders[3] == [0, 0] else {
      throw NetconvError.wrongSetting(
        "pad_width", layer.value(of: "pad_width") ?? .null,
        expected: "[[0, 0], [top, bottom], [left, right], [0, 0]]")
    }
    return ZeroPadding2D(sides: Array(borders[1...2]))
  }
}
