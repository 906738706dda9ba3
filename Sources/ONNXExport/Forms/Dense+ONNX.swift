import ModelIR
import Operators

extension Dense: ONNXForm {
  static var onnxOperations: String { "`Gemm`; over more axes `MatMul` and `Add`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let kernel = try layer.required(.kernel)
    let sum =
      x[0].shape.rank == 1
      ? try product(x[0], kernel, layer, &graph) : try products(x[0], kernel, layer, &graph)
    let value = ONNXValue(name: sum, order: .last, shape: layer.shape)
    return [try graph.activate(value, activation)]
  }

  /// Multiplies a vector, which may be flattened in channels-first order, by the kernel.
  private func product(
    _ x: ONNXValue, _ kernel: Tensor, _ layer: ONNXLayer, _ graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> String {
    let isTransposed = kernel.layout.dimensions.first?.axes == [.outputChannels]
    var operands = [
      graph.name(x, graph.order(of: kernel)), try graph.parameter(kernel),
    ]
    if let bias = layer.parameters[.bias] { operands.append(try graph.parameter(bias)) }
    return graph.add("Gemm", operands, .int("transB", isTransposed ? 1 : 0), isMain: true)
  }

  private func products(
    _ x: ONNXValue, _ kernel: Tensor, _ layer: ONNXLayer, _ graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> String {
    let matrix = try graph.parameter(kernel, as: kernel.spec.layout)
    let sum = graph.add("MatMul", [graph.name(x, .last), matrix], isMain: true)
    guard let bias = layer.parameters[.bias] else { return sum }
    return graph.add("Add", [sum, try graph.parameter(bias)])
  }
}
