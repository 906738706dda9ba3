import FlatBuffers
import ModelIR
import Operators

extension Reduce: TFLiteForm {
  static var tfliteOperations: String { "`SUM`, `MEAN`, `REDUCE_MAX`, `REDUCE_MIN`, `REDUCE_PROD`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let axes = try axes.indices(rank: x[0].rank).map { $0 + 1 }
    let type: TFLiteBuiltin =
      switch function {
      case .sum: .sum
      case .mean: .mean
      case .maximum: .reduceMax
      case .minimum: .reduceMin
      case .product: .reduceProd
      }
    let reduced = graph.reduce(type, x[0], along: axes, keeps: keepDimensions)
    // A sample that is one number has an axis of size 1.
    guard reduced.rank == 0, layer.shape.rank == 1 else { return [reduced] }
    return [graph.expand(reduced, at: 1)]
  }
}

extension ArgReduce: TFLiteForm {
  static var tfliteOperations: String {
    "`ARG_MAX` or `ARG_MIN`, with `CAST` to float32; refused where the last of equal values counts"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    guard !takesLast else { throw .lastOfEqualValues }
    let axis = 1 + (try AxisList([axis]).indices(rank: x[0].rank)[0])
    var sizes = x[0].sizes
    sizes.remove(at: axis)
    let indices = graph.add(
      function == .maximum ? .argMax : .argMin, [x[0], graph.ints([axis], [])],
      (function == .maximum ? 40 : 57, [0: .byte(TFLiteNumber.int32.rawValue)]), sizes: sizes,
      as: .int32)
    let numbers = graph.cast(indices, to: .float32)
    let keeps = keepDimensions || layer.shape.rank > numbers.rank
    return [keeps ? graph.expand(numbers, at: axis) : numbers]
  }
}

extension StepMask: TFLiteForm {
  static var tfliteOperations: String { "`NOT_EQUAL`, `CAST`, `REDUCE_MAX`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let counts = try graph.counts(x[0], value)
    return [
      isPerValue ? counts : graph.reduce(.reduceMax, counts, along: [x[0].rank], keeps: false)
    ]
  }
}

extension Masking: TFLiteForm {
  static var tfliteOperations: String { "`NOT_EQUAL`, `CAST`, `REDUCE_MAX`, `MUL`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let mask = graph.reduce(.reduceMax, try graph.counts(x[0], value), along: [x[0].rank])
    return [try graph.binary(.mul, x[0], mask)]
  }
}

extension MaskedAverage: TFLiteForm {
  static var tfliteOperations: String { "`MUL`, `SUM`, `DIV`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let mask = graph.expand(x[1], at: 2)
    let weighted = try graph.binary(.mul, x[0], mask)
    let sums = [weighted, mask].map {
      graph.reduce(.sum, $0, along: [1], keeps: keepDimensions)
    }
    return [try graph.binary(.div, sums[0], sums[1])]
  }
}

extension TFLiteGraphBuilder {
  /// Computes 1 for each value that differs from the given one, and 0 otherwise.
  fileprivate mutating func counts(
    _ x: TFLiteValue, _ value: Double
  ) throws(NetconvError) -> TFLiteValue {
    cast(try compare(.notEqual, x, float(value)), to: .float32)
  }
}

extension NetconvError {
  fileprivate static let lastOfEqualValues = NetconvError(
    .badData,
    "takes the last of equal values, but ARG_MAX and ARG_MIN of TensorFlow Lite take the first")
}
