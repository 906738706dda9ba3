import FlatBuffers
import ModelIR
import Operators

extension Normalization: TFLiteForm {
  static var tfliteOperations: String { "`SUB`, `SQRT`, `MAXIMUM`, `DIV`; inverted `MUL`, `ADD`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let axes = axes.isEmpty ? [] : try AxisList(axes).indices(rank: x[0].rank)
    let (mean, deviation): (TFLiteValue, TFLiteValue)
    if let statistics {
      mean = try constant(statistics.mean, axes, x[0], &graph)
      deviation = try constant(
        statistics.variance.map { max($0.squareRoot(), Self.smallest) }, axes, x[0], &graph)
    } else {
      mean = try parameter(try layer.required(.mean), axes, x[0], &graph)
      let variance = try parameter(try layer.required(.variance), axes, x[0], &graph)
      deviation = try graph.binary(
        .maximum, graph.unary(.sqrt, variance), graph.float(Self.smallest))
    }
    return [
      invert
        ? try graph.binary(.add, graph.binary(.mul, x[0], deviation), mean)
        : try graph.binary(.div, graph.binary(.sub, x[0], mean), deviation)
    ]
  }

  /// The smallest divisor, as in Keras.
  private static let smallest = 1e-7

  private func parameter(
    _ tensor: Tensor, _ axes: [Int], _ x: TFLiteValue, _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> TFLiteValue {
    axes.isEmpty ? try graph.parameter(tensor) : try graph.along(axes, tensor, rank: x.rank)
  }

  /// Adds statistics that are attributes, repeated if there are fewer than indices.
  private func constant(
    _ values: [Double], _ axes: [Int], _ x: TFLiteValue, _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> TFLiteValue {
    guard values.count > 1 else { return graph.float(values[0]) }
    let sizes = x.shape.dimensions.enumerated().map { axes.contains($0) ? $1 : 1 }
    guard let known = Shape(sizes).known else { throw .openSizeForTFLite }
    let places = 0..<known.reduce(1, *)
    return graph.floats(places.map { values[$0 % values.count] }, known)
  }
}

extension Rescaling: TFLiteForm {
  static var tfliteOperations: String { "`MUL`, `ADD`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    func channels(_ values: [Double]) -> TFLiteValue {
      values.count > 1 ? graph.floats(values, [values.count]) : graph.float(values[0])
    }
    var value = x[0]
    if scale != [1] { value = try graph.binary(.mul, value, channels(scale)) }
    if offset != [0] { value = try graph.binary(.add, value, channels(offset)) }
    return [value]
  }
}
