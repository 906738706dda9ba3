import ModelIR
import Operators

extension Embedding: ONNXForm {
  static var onnxOperations: String { "`Cast`, `Gather`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let kernel = try layer.required(.kernel)
    let table = try graph.parameter(kernel, as: kernel.spec.layout)
    let numbers = graph.add("Cast", [graph.name(x[0], .last)], .int("to", 7))
    let name = graph.add("Gather", [table, numbers], .int("axis", 0), isMain: true)
    return [ONNXValue(name: name, order: .last, shape: layer.shape)]
  }
}
