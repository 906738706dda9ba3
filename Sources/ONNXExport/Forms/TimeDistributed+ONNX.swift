import ModelIR
import Operators

extension TimeDistributed: ONNXForm {
  static var onnxOperations: String {
    "the steps as samples, between two `Reshape`; a `Dense` over the last axis"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    guard let form = operation as? any ONNXForm else {
      throw .notInONNX(type(of: operation).name, graph.consumer)
    }
    if operation is Dense { return try form.write(x, layer, to: &graph) }
    guard let step = Shape(Array(x[0].shape.dimensions.dropFirst())).known else {
      throw .openSizeForONNX
    }
    let input = graph.name(x[0], .last)
    let steps = ONNXValue(
      name: graph.reshape(input, [-1] + step), order: .last, shape: Shape(step))
    let shapes = layer.outputShapes.map { Shape(Array($0.dimensions.dropFirst())) }
    let outputs = try form.write(
      [steps], ONNXLayer(parameters: layer.parameters, outputShapes: shapes), to: &graph)
    var results: [ONNXValue] = []
    for (output, shape) in zip(outputs, layer.outputShapes) {
      let name = graph.name(output, .last)
      guard let sizes = output.shape.known else { throw .openSizeForONNX }
      let whole = graph.add(
        "Concat",
        [graph.add("Shape", [input], .int("start", 0), .int("end", 2)), graph.ints(sizes)],
        .int("axis", 0))
      results.append(
        ONNXValue(name: graph.add("Reshape", [name, whole]), order: .last, shape: shape))
    }
    return results
  }
}
