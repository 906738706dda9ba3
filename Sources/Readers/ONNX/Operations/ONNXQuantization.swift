import ModelIR
import Operators

/// Weights that are stored as integers with a scale.
///
/// Source: onnx/docs/Operators.md, `DequantizeLinear`.
enum ONNXQuantization: ONNXOperation {
  static let names = ["DequantizeLinear"]
  static let refused = ["values that follow from what is fed", "scales of blocks"]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let integers = try node.constant(0)
    guard node.integer("block_size", default: 0) == 0 else {
      throw .unknownSetting("block_size", "\(node.integer("block_size", default: 0))", known: ["0"])
    }
    let scales = try node.constant(1)
    let zeros = try node.optionalConstant(2)
    let zeroPoints = try zeros?.numbers() ?? [Double](repeating: 0, count: scales.count)
    var (inner, channels) = (integers.count, 1)
    if scales.count != 1 {
      let axis = try resolvedAxis(node.integer("axis", default: 1), rank: integers.shape.count)
      inner = integers.shape[(axis + 1)...].reduce(1, *)
      channels = integers.shape[axis]
    }
    guard scales.count == channels, zeroPoints.count == channels else {
      throw .wrongRankOfConstant(scales.shape, expected: 1)
    }
    let plain = try integers.reshaped(integers.shape)
    return [
      .constant(
        GraphConstant(
          type: .float32, shape: plain.shape, name: integers.name ?? graph.node,
          source: ScaledIntegers(
            integers: plain.source, scales: try scales.numbers().map { Float($0) },
            zeroPoints: zeroPoints.map { Float($0) }, inner: inner)))
    ]
  }
}

/// Integers less a zero point, times a scale, of which there is one for each channel, or one for all.
///
/// A value is rounded to float32, also where it is read as float64.
private struct ScaledIntegers: TensorSource {
  let integers: any TensorSource
  let scales: [Float]
  let zeroPoints: [Float]
  /// The number of values behind each other that share a channel.
  let inner: Int

  var elementType: ElementType { .float32 }
  var count: Int { integers.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try integers.read(range, into: values)
    for (offset, index) in range.enumerated() {
      let channel = index / max(1, inner) % scales.count
      values[offset] = (values[offset] - zeroPoints[channel]) * scales[channel]
    }
  }
}
