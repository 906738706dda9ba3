import FlatBuffers
import ModelIR
import Operators

/// An operator that is one operator of two inputs, applied from left to right to more.
protocol TFLitePairForm: TFLiteForm {
  /// The operator of two inputs.
  static var tfliteOperator: TFLiteBuiltin { get }
}

extension TFLitePairForm {
  static var tfliteOperations: String { "`\(tfliteOperator.name)`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] { [try graph.merge(Self.tfliteOperator, x)] }
}

extension Add: TFLitePairForm { static var tfliteOperator: TFLiteBuiltin { .add } }

extension Subtract: TFLitePairForm { static var tfliteOperator: TFLiteBuiltin { .sub } }

extension Multiply: TFLitePairForm { static var tfliteOperator: TFLiteBuiltin { .mul } }

extension Divide: TFLitePairForm { static var tfliteOperator: TFLiteBuiltin { .div } }

extension Maximum: TFLitePairForm { static var tfliteOperator: TFLiteBuiltin { .maximum } }

extension Minimum: TFLitePairForm { static var tfliteOperator: TFLiteBuiltin { .minimum } }

extension Average: TFLiteForm {
  static var tfliteOperations: String { "`ADD`, `MUL`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    [try graph.scale(graph.merge(.add, x), 1 / Double(x.count))]
  }
}

extension ScaledAdd: TFLiteForm {
  static var tfliteOperations: String { "`MUL`, `ADD`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    [try graph.binary(.add, x[0], graph.scale(x[1], scale))]
  }
}

extension Concatenate: TFLiteForm {
  static var tfliteOperations: String { "`CONCATENATION`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let values = try x.map { value throws(NetconvError) in try graph.expanded(value) }
    return [graph.concatenate(values, along: 1 + (axis < 0 ? axis + layer.shape.rank : axis))]
  }
}

extension Identity: TFLiteForm {
  static var tfliteOperations: String { "nothing" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] { [x[0]] }
}

extension TFLiteGraphBuilder {
  /// Combines values from left to right.
  fileprivate mutating func merge(
    _ type: TFLiteBuiltin, _ x: [TFLiteValue]
  ) throws(NetconvError) -> TFLiteValue {
    var result = x[0]
    for value in x.dropFirst() { result = try binary(type, result, value) }
    return result
  }
}
