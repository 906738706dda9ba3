import ModelIR
import Operators

extension SpatialGlobalAveragePooling: ONNXForm {
  static var onnxOperations: String { "`ReduceMean`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    [graph.reduce("ReduceMean", x[0], [Int](0..<x[0].shape.rank - 1), keepDimensions, layer.shape)]
  }
}

extension SpatialGlobalMaxPooling: ONNXForm {
  static var onnxOperations: String { "`ReduceMax`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    [graph.reduce("ReduceMax", x[0], [Int](0..<x[0].shape.rank - 1), keepDimensions, layer.shape)]
  }
}
