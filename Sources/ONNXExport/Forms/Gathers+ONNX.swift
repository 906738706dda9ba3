import ModelIR
import Operators

extension Gather: ONNXForm {
  static var onnxOperations: String {
    "`Gather`, `GatherND` or `GatherElements`, with `Cast` of the indices"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let axis = try AxisList([axis]).indices(rank: x[0].shape.rank)[0]
    let values = graph.name(x[0], .last)
    let result: String
    if byElement {
      let indices = graph.integers(graph.name(x[1], .last))
      result = graph.add(
        "GatherElements", [values, indices], .int("axis", axis + 1), isMain: true)
    } else if x[1].isConstant, x[1].order == .last, let sizes = x[1].shape.known {
      let indices = graph.ints(sizes)
      result = graph.add(
        "Gather", [values, graph.integers(graph.add("Reshape", [x[1].name, indices]))],
        .int("axis", axis + 1), isMain: true)
    } else {
      result = perSample(values, graph.name(x[1], .last), axis, x.map(\.shape.rank), &graph)
    }
    return [ONNXValue(name: result, order: .last, shape: layer.shape)]
  }

  /// Gathers along the first axis of each sample, to which the axis is moved.
  private func perSample(
    _ values: String, _ indices: String, _ axis: Int, _ ranks: [Int],
    _ graph: inout ONNXGraphBuilder
  ) -> String {
    let others = (1...max(1, ranks[0])).filter { $0 != axis + 1 && $0 <= ranks[0] }
    let tuples = graph.add("Unsqueeze", [graph.integers(indices), graph.ints([-1])])
    let gathered = graph.add(
      "GatherND", [graph.transpose(values, [0, axis + 1] + others), tuples],
      .int("batch_dims", 1), isMain: true)
    // The axes of the indices come back after those that were before the axis.
    let rest = Array(1 + ranks[1]..<ranks[1] + ranks[0])
    return graph.transpose(
      gathered, [0] + rest.prefix(axis) + Array(1..<1 + ranks[1]) + rest.dropFirst(axis))
  }
}

extension TopK: ONNXForm {
  static var onnxOperations: String { "`TopK`, with `Cast` of the indices to float32" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    // A flattened vector must be in the order of the model, as its indices are the result.
    let input = graph.expanded(x[0].shape.rank == 1 ? graph.value(x[0], .last) : x[0])
    let axis = try AxisList([axis]).indices(rank: input.shape.rank)[0]
    let selected = graph.add(
      "TopK", [input.name, graph.ints([count])],
      [.int("axis", input.axis(axis)), .int("largest", takesSmallest ? 0 : 1)], outputs: 2,
      isMain: true)
    let name = result == .values ? selected[0] : graph.number(of: selected[1])
    return [ONNXValue(name: name, order: input.order, shape: layer.shape)]
  }
}

extension ONNXGraphBuilder {
  /// Converts numbers to integers, without their fractions.
  fileprivate mutating func integers(_ x: String) -> String { add("Cast", [x], .int("to", 7)) }
}
