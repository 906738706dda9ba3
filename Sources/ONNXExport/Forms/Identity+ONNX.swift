import ModelIR
import Operators

extension Identity: ONNXForm {
  static var onnxOperations: String { "nothing" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] { [x[0]] }
}
