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

extension Subtract: ONNXForm {
  static var onnxOperations: String { "`Sub`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] { [graph.merge("Sub", x, layer)] }
}

extension Multiply: ONNXForm {
  static var onnxOperations: String { "`Mul`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] { [graph.merge("Mul", x, layer)] }
}

extension Divide: ONNXForm {
  static var onnxOperations: String { "`Div`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] { [graph.merge("Div", x, layer)] }
}

extension Maximum: ONNXForm {
  static var onnxOperations: String { "`Max`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] { [graph.merge("Max", x, layer)] }
}

extension Minimum: ONNXForm {
  static var onnxOperations: String { "`Min`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] { [graph.merge("Min", x, layer)] }
}

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
