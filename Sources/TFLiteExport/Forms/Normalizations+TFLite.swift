import FlatBuffers
import ModelIR
import Operators

extension BatchNormalization: TFLiteForm {
  static var tfliteOperations: String {
    "`MUL`, `ADD`"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let rank = x[0].rank
    let (factors, summands) = try line(layer)
    var sizes = [Int](repeating: 1, count: rank)
    sizes[axis < 0 ? axis + rank : axis] = factors.count
    let shape = sizes.last == factors.count ? [factors.count] : sizes
    var value = x[0]
    if factors.contains(where: { $0 != 1 }) {
      value = try graph.binary(.mul, value, graph.floats(factors, shape))
    }
    if summands.contains(where: { $0 != 0 }) {
      value = try graph.binary(.add, value, graph.floats(summands, shape))
    }
    return [value]
  }

  /// Returns the factor and the summand of each channel, computed in float64.
  private func line(
    _ layer: TFLiteLayer
  ) throws(NetconvError) -> (factors: [Double], summands: [Double]) {
    let mean = try layer.required(.mean).values()
    let variance = try layer.required(.variance).values()
    let gamma = try layer.parameters[.gamma]?.values()
    let beta = try layer.parameters[.beta]?.values()
    let factors = variance.indices.map { channel in
      Double(gamma?[channel] ?? 1) / (Double(variance[channel]) + epsilon).squareRoot()
    }
    let summands = mean.indices.map { channel in
      Double(beta?[channel] ?? 0) - Double(mean[channel]) * factors[channel]
    }
    return (factors, summands)
  }
}

extension LayerNormalization: TFLiteForm {
  static var tfliteOperations: String {
    "`MEAN`, `SUB`, `MUL`, `MEAN`, `ADD`, `RSQRT`, `MUL`, `ADD`"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let axes = try axis.indices(rank: x[0].rank)
    let places = axes.map { $0 + 1 }
    let centred = try graph.binary(
      .sub, x[0], graph.reduce(.mean, x[0], along: places))
    let factor = try graph.deviation(centred, places, epsilon)
    let normalized = try graph.binary(.mul, subtractsMean ? centred : x[0], factor)
    return [try graph.affine(normalized, axes, layer)]
  }
}

extension GroupNormalization: TFLiteForm {
  static var tfliteOperations: String {
    "`RESHAPE`, `MEAN`, `SUB`, `MUL`, `MEAN`, `ADD`, `RSQRT`, `MUL`, `RESHAPE`, `MUL`, `ADD`"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let shape = try x[0].known()
    let rank = shape.count
    let axis = axis < 0 ? axis + rank : axis
    let count = groups == -1 ? shape[axis] : groups
    let (before, behind) = (shape[..<axis].reduce(1, *), shape[(axis + 1)...].reduce(1, *))
    let split = try graph.reshape(
      x[0], samples: [before, count, shape[axis] / count * behind])
    let centred = try graph.binary(.sub, split, graph.reduce(.mean, split, along: [1, 3]))
    let normalized = try graph.binary(
      .mul, centred, graph.deviation(centred, [1, 3], epsilon))
    return [try graph.affine(graph.reshape(normalized, samples: shape), [axis], layer)]
  }
}

extension RMSNormalization: TFLiteForm {
  static var tfliteOperations: String { "`MUL`, `MEAN`, `ADD`, `RSQRT`, `MUL`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let axes = try axis.indices(rank: x[0].rank)
    let factor = try graph.deviation(x[0], axes.map { $0 + 1 }, epsilon)
    return [try graph.affine(graph.binary(.mul, x[0], factor), axes, layer)]
  }
}

extension UnitNormalization: TFLiteForm {
  static var tfliteOperations: String { "`MUL`, `SUM`, `SQRT`, `MAXIMUM`, `DIV`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let axes = try axis.indices(rank: x[0].rank).map { $0 + 1 }
    return [try graph.unit(x[0], axes, smallestNorm)]
  }
}

extension Scale: TFLiteForm {
  static var tfliteOperations: String { "`MUL`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let rank = x[0].rank
    let gamma = try layer.required(.gamma)
    return [try graph.binary(.mul, x[0], graph.along([rank - 1], gamma, rank: rank))]
  }
}

extension TFLiteGraphBuilder {
  /// Computes the reciprocal of the root of the mean of squares, plus epsilon.
  fileprivate mutating func deviation(
    _ x: TFLiteValue, _ axes: [Int], _ epsilon: Double
  ) throws(NetconvError) -> TFLiteValue {
    let mean = reduce(.mean, try binary(.mul, x, x), along: axes)
    return unary(.rsqrt, try add(mean, epsilon))
  }

  /// Divides a value by its norm along axes.
  mutating func unit(
    _ x: TFLiteValue, _ axes: [Int], _ smallestNorm: Double
  ) throws(NetconvError) -> TFLiteValue {
    let norm = unary(.sqrt, reduce(.sum, try binary(.mul, x, x), along: axes))
    return try binary(.div, x, binary(.maximum, norm, float(smallestNorm)))
  }

  /// Multiplies by gamma and adds beta, if the layer has them.
  fileprivate mutating func affine(
    _ x: TFLiteValue, _ axes: [Int], _ layer: TFLiteLayer
  ) throws(NetconvError) -> TFLiteValue {
    var value = x
    if let gamma = layer.parameters[.gamma] {
      value = try binary(.mul, value, along(axes, gamma, rank: x.rank))
    }
    if let beta = layer.parameters[.beta] {
      value = try binary(.add, value, along(axes, beta, rank: x.rank))
    }
    return value
  }
}
