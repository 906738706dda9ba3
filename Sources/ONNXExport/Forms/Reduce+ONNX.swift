import ModelIR
import Operators

extension Reduce: ONNXForm {
  static var onnxOperations: String {
    "`ReduceSum`, `ReduceMean`, `ReduceMax`, `ReduceMin`, `ReduceProd`"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let axes = try axes.indices(rank: x[0].shape.rank)
    return [graph.reduce(function.onnxOperation, x[0], axes, keepDimensions, layer.shape)]
  }
}

extension Reduce.Function {
  fileprivate var onnxOperation: String {
    switch self {
    case .sum: "ReduceSum"
    case .mean: "ReduceMean"
    case .maximum: "ReduceMax"
    case .minimum: "ReduceMin"
    case .product: "ReduceProd"
    }
  }
}

extension ONNXGraphBuilder {
  /// Reduces a value along axes of a sample.
  mutating func reduce(
    _ type: String, _ x: ONNXValue, _ axes: [Int], _ keepDimensions: Bool, _ shape: Shape
  ) -> ONNXValue {
    let x = expanded(x)
    let places = axes.map { x.axis($0) }.sorted()
    let keeps = ONNXAttribute.int("keepdims", keepDimensions ? 1 : 0)
    // In this operator set, only the sum has its axes as an operand.
    let name =
      type == "ReduceSum"
      ? add(type, [x.name, ints(places)], keeps, isMain: true)
      : add(type, [x.name], .ints("axes", places), keeps, isMain: true)
    return x.reduced(to: name, along: axes, keepDimensions, shape)
  }
}

extension ONNXValue {
  /// Returns the result of a reduction along axes of a sample.
  func reduced(
    to name: String, along axes: [Int], _ keepDimensions: Bool, _ shape: Shape
  ) -> ONNXValue {
    let staysFirst = keepDimensions || !axes.contains(self.shape.rank - 1) && shape.rank > 1
    let order = self.order == .first && !staysFirst ? .last : self.order
    return ONNXValue(name: name, order: shape.rank < 2 ? .last : order, shape: shape)
  }
}
