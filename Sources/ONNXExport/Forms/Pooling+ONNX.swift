import ModelIR
import Operators

extension SpatialMaxPooling: ONNXForm {
  static var onnxOperations: String { "`MaxPool`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    [graph.pool("MaxPool", x[0], window, [], layer)]
  }
}

extension SpatialAveragePooling: ONNXForm {
  static var onnxOperations: String { "`AveragePool`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    [graph.pool("AveragePool", x[0], window, [.int("count_include_pad", 0)], layer)]
  }
}

extension ONNXGraphBuilder {
  fileprivate mutating func pool<Space>(
    _ type: String, _ x: ONNXValue, _ window: Window<Space>, _ others: [ONNXAttribute],
    _ layer: ONNXLayer
  ) -> ONNXValue {
    let attributes = window.onnx(over: x.shape.dimensions.dropLast(), dilates: false)
    let name = add(type, [name(x, .first)], attributes + others, outputs: 1, isMain: true)[0]
    return ONNXValue(name: name, order: .first, shape: layer.shape)
  }
}
