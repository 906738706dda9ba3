import ModelIR
import Operators

extension StepMask: ONNXForm {
  static var onnxOperations: String { "`Equal`, `Not`, `Cast`, `ReduceMax`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let counts = graph.counts(graph.name(x[0], .last), value)
    let mask =
      isPerValue
      ? counts : graph.add("ReduceMax", [counts], .ints("axes", [-1]), .int("keepdims", 0))
    return [ONNXValue(name: mask, order: .last, shape: layer.shape)]
  }
}

extension Masking: ONNXForm {
  static var onnxOperations: String { "`Equal`, `Not`, `Cast`, `ReduceMax`, `Mul`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let input = graph.name(x[0], .last)
    let mask = graph.add("ReduceMax", [graph.counts(input, value)], .ints("axes", [-1]))
    let name = graph.add("Mul", [input, mask], isMain: true)
    return [ONNXValue(name: name, order: .last, shape: layer.shape)]
  }
}

extension MaskedAverage: ONNXForm {
  static var onnxOperations: String { "`Mul`, `ReduceSum`, `Div`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let mask = graph.add("Unsqueeze", [graph.name(x[1], .last), graph.ints([2])])
    let weighted = graph.add("Mul", [graph.name(x[0], .last), mask])
    let keeps = ONNXAttribute.int("keepdims", keepDimensions ? 1 : 0)
    let sums = [weighted, mask].map { graph.add("ReduceSum", [$0, graph.ints([1])], keeps) }
    let name = graph.add("Div", sums, isMain: true)
    return [ONNXValue(name: name, order: .last, shape: layer.shape)]
  }
}

extension ONNXGraphBuilder {
  /// Computes 1 for each value that differs from the given one, and 0 otherwise, as float32.
  fileprivate mutating func counts(_ x: String, _ value: Double) -> String {
    number(of: add("Not", [add("Equal", [x, float(value)])]))
  }
}
