import ModelIR
import Operators

extension PReLU: ONNXForm {
  static var onnxOperations: String { "`PRelu`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let rank = x[0].shape.rank
    let alpha = try layer.required(.alpha)
    let input = graph.value(x[0], rank == 1 ? graph.order(of: alpha) : x[0].order)
    let slopes = try graph.broadcast(
      alpha, along: Array(0..<rank), rank: rank, input.order)
    let name = graph.add("PRelu", [input.name, slopes], isMain: true)
    return [ONNXValue(name: name, order: input.order, shape: layer.shape)]
  }
}
