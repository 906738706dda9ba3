import ModelIR
import Operators

extension Add: ONNXForm {
  static var onnxOperations: String { "`Add`; of more than two `Sum`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    guard x.count > 2 else { return [graph.merge("Add", x, layer)] }
    let (names, order) = graph.unified(x)
    return [
      ONNXValue(name: graph.add("Sum", names, isMain: true), order: order, shape: layer.shape)
    ]
  }
}

/// An operator that is one operation of two inputs, applied from left to right to more.
protocol ONNXPairForm: ONNXForm {
  /// The type of the operation.
  static var onnxOperation: String { get }
}

extension ONNXPairForm {
  static var onnxOperations: String { "`\(onnxOperation)`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] { [graph.merge(Self.onnxOperation, x, layer)] }
}

extension Subtract: ONNXPairForm { static var onnxOperation: String { "Sub" } }

extension Multiply: ONNXPairForm { static var onnxOperation: String { "Mul" } }

extension Divide: ONNXPairForm { static var onnxOperation: String { "Div" } }

extension Maximum: ONNXPairForm { static var onnxOperation: String { "Max" } }

extension Minimum: ONNXPairForm { static var onnxOperation: String { "Min" } }

extension Average: ONNXForm {
  static var onnxOperations: String { "`Mean`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let (names, order) = graph.unified(x)
    return [
      ONNXValue(name: graph.add("Mean", names, isMain: true), order: order, shape: layer.shape)
    ]
  }
}

extension ScaledAdd: ONNXForm {
  static var onnxOperations: String { "`Mul`, `Add`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let (names, order) = graph.unified(x)
    let scaled = graph.add("Mul", [names[1], graph.float(scale)])
    let sum = graph.add("Add", [names[0], scaled], isMain: true)
    return [ONNXValue(name: sum, order: order, shape: layer.shape)]
  }
}

extension Concatenate: ONNXForm {
  static var onnxOperations: String { "`Concat`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let rank = layer.shape.rank
    // Flattened vectors must be in the order of the model: no order of the whole would be that of a flatten.
    let plain = rank == 1 ? x.map { graph.value($0, .last) } : x
    let (names, order) = graph.unified(plain, repeatsConstants: false)
    let axis = ONNXAttribute.int(
      "axis", order.axis(axis < 0 ? axis + rank : axis, rank: rank))
    return [
      ONNXValue(
        name: graph.add("Concat", names, axis, isMain: true), order: order, shape: layer.shape)
    ]
  }
}

extension ONNXGraphBuilder {
  /// Combines values from left to right.
  fileprivate mutating func merge(
    _ type: String, _ x: [ONNXValue], _ layer: ONNXLayer
  ) -> ONNXValue {
    let (names, order) = unified(x)
    var result = names[0]
    for name in names.dropFirst() { result = add(type, [result, name], isMain: true) }
    return ONNXValue(name: result, order: order, shape: layer.shape)
  }
}
