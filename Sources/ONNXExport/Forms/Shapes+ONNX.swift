import ModelIR
import Operators

extension Flatten: ONNXForm {
  static var onnxOperations: String { "`Flatten`, with the channels first where kernels lie so" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] { [graph.flatten(x[0], layer)] }
}

extension Reshape: ONNXForm {
  static var onnxOperations: String { "`Reshape`; to one axis `Flatten`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    guard shape.count > 1 else { return [graph.flatten(x[0], layer)] }
    let name = graph.reshape(graph.name(x[0], .last), [0] + shape)
    return [ONNXValue(name: name, order: .last, shape: layer.shape)]
  }
}

extension Permute: ONNXForm {
  static var onnxOperations: String { "`Transpose`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let input = graph.expanded(x[0])
    guard order != Array(order.indices) else { return [input] }
    let places = [0] + order.map { input.axis($0) }
    // The permutation may result in the channels-first order that a reader requires.
    let name = graph.transpose(input.name, places)
    return [ONNXValue(name: name, order: .last, shape: layer.shape)]
  }
}

extension RepeatVector: ONNXForm {
  static var onnxOperations: String { "`Unsqueeze`, `Tile`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let vector = graph.add("Unsqueeze", [graph.name(x[0], .last), graph.ints([1])])
    let name = graph.add("Tile", [vector, graph.ints([1, count, 1])])
    return [ONNXValue(name: name, order: .last, shape: layer.shape)]
  }
}

extension Constant: ONNXForm {
  static var onnxOperations: String {
    "an initializer, and `Expand` where each sample needs its own"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let tensor = try layer.required(.value)
    let values = try graph.parameter(tensor, as: tensor.spec.layout)
    let name = graph.reshape(values, [1] + shape)
    return [ONNXValue(name: name, order: .last, shape: layer.shape, isConstant: true)]
  }
}

extension ONNXGraphBuilder {
  fileprivate mutating func flatten(_ x: ONNXValue, _ layer: ONNXLayer) -> ONNXValue {
    guard x.shape.rank != 1 else { return x }
    guard layer.flattensChannelsFirst, let sizes = x.shape.known else {
      let name = add("Flatten", [name(x, .last)], .int("axis", 1))
      return ONNXValue(name: name, order: .last, shape: layer.shape)
    }
    let name = add("Flatten", [name(x, .first)], .int("axis", 1))
    return ONNXValue(name: name, order: .flattened(sizes), shape: layer.shape)
  }
}
