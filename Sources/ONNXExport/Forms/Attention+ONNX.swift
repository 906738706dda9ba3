import ModelIR
import Operators

extension Attention: ONNXForm {
  static var onnxOperations: String {
    "`Reshape`, `Transpose`, `MatMul`, `Softmax`; `Where` of masks, which also set rows that attend to nothing"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let operands = x.map { graph.name($0, .last) }
    let form = AttentionForm(self)
    let (axes, keyAxes) = (form.heads, form.keyHeads)
    let query = form.split(operands[0], axes, &graph)
    let key = form.split(operands[1], keyAxes, &graph)
    let value = form.split(operands[2], keyAxes, &graph)
    let width = try x[0].shape.lastSize() / (heads ?? 1)
    var scores = try self.scores(query, key, width, form, layer, &graph)
    if let softCap {
      let bound = graph.add("Tanh", [graph.add("Div", [scores, graph.float(softCap)])])
      scores = graph.add("Mul", [bound, graph.float(softCap)])
    }
    var conditions: [String] = []
    for (index, mask) in masks.enumerated() where mask != .results {
      let name = form.arranged(operands[3 + index], mask, x[3 + index].shape, &graph)
      if mask == .bias {
        // A row of nothing but -∞ has equal weights.
        scores = graph.add("Max", [graph.add("Add", [scores, name]), graph.float(Self.masked)])
      } else {
        conditions.append(graph.truth(of: name))
      }
    }
    conditions += reach(operands[0], operands[1], &graph)
    if let first = conditions.first {
      let all = conditions.dropFirst().reduce(first) { graph.add("And", [$0, $1]) }
      scores = graph.add("Where", [all, scores, graph.float(Self.masked)])
    }
    var weights = graph.add("Softmax", [scores], .int("axis", -1), isMain: result == .weights)
    if zerosEmpty {
      let counts = graph.add("Greater", [scores, graph.float(Self.masked)])
      weights = graph.add("Where", [counts, weights, graph.float(0)])
    }
    var outputs = [form.whole(weights, layer, &graph)]
    if result == .weights { return [ONNXValue(name: outputs[0], order: .last, shape: layer.shape)] }
    var means = form.joined(
      graph.add("MatMul", [weights, value], isMain: true), width: try layer.shape.lastSize(),
      &graph)
    for (index, mask) in masks.enumerated() where mask == .results {
      let column = graph.add(
        "Unsqueeze", [graph.truth(of: operands[3 + index]), graph.ints([2])])
      means = graph.add("Where", [column, means, graph.float(0)])
    }
    outputs = result == .both ? [means] + outputs : [means]
    return zip(outputs, layer.outputShapes).map { name, shape in
      ONNXValue(name: name, order: .last, shape: shape)
    }
  }

  /// The score of a masked key, which no power of e is more than 0 of.
  private static let masked = -1e30

  private func scores(
    _ query: String, _ key: String, _ width: Int, _ form: AttentionForm, _ layer: ONNXLayer,
    _ graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> String {
    func scaled(_ name: String, _ role: ParameterRole) throws(NetconvError) -> String {
      guard let tensor = layer.parameters[role] else { return name }
      return graph.add("Mul", [name, try graph.parameter(tensor)])
    }
    let factor = factor(width: width)
    guard score != .dot else {
      let small = factor == 1 ? query : graph.add("Mul", [query, graph.float(factor)])
      let columns = graph.transpose(key, form.columns)
      return try scaled(graph.add("MatMul", [small, columns]), .gamma)
    }
    let sum = graph.add(
      "Add",
      [
        graph.add("Unsqueeze", [query, graph.ints([2])]),
        graph.add("Unsqueeze", [key, graph.ints([1])]),
      ])
    let terms =
      score == .additive
      ? try scaled(graph.add("Tanh", [sum]), .gamma)
      : graph.add("Tanh", [try scaled(sum, .gamma)])
    let total = graph.add(
      "ReduceSum", [terms, graph.ints([-1])], .int("keepdims", 0))
    let all = score == .additive ? total : try scaled(total, .alpha)
    return factor == 1 ? all : graph.add("Mul", [all, graph.float(factor)])
  }

  /// Returns the conditions that keys are within reach, as (queries, keys).
  private func reach(
    _ query: String, _ key: String, _ graph: inout ONNXGraphBuilder
  ) -> [String] {
    guard before != nil || after != nil else { return [] }
    let places = [query, key].map { name in
      let length = graph.add(
        "Gather", [graph.add("Shape", [name]), graph.int(1)], .int("axis", 0))
      return graph.add("Range", [graph.int(0), length, graph.int(1)])
    }
    let rows = graph.add("Unsqueeze", [places[0], graph.ints([1])])
    let distance = graph.add("Sub", [rows, places[1]])
    return (before.map { [graph.add("LessOrEqual", [distance, graph.int($0)])] } ?? [])
      + (after.map { [graph.add("GreaterOrEqual", [distance, graph.int(-$0)])] } ?? [])
  }
}

/// The axes of heads in front of steps: none, one, or those of the keys and the heads that share one.
private struct AttentionForm {
  let heads: [Int]

  init(_ operation: Attention) {
    guard let count = operation.heads else {
      heads = []
      return
    }
    let keyHeads = operation.keyHeads ?? count
    heads = keyHeads == count ? [count] : [keyHeads, count / keyHeads]
  }

  /// The same axes of the keys and values.
  var keyHeads: [Int] { heads.count > 1 ? [heads[0], 1] : heads }

  /// The order of axes that turns keys into columns.
  var columns: [Int] {
    let rank = heads.count + 3
    return Array(0..<rank - 2) + [rank - 1, rank - 2]
  }

  /// Moves the heads of (batch, steps, heads · width) in front of the steps.
  func split(_ name: String, _ heads: [Int], _ graph: inout ONNXGraphBuilder) -> String {
    guard !heads.isEmpty else { return name }
    let shape = graph.reshape(name, [0, 0] + heads + [-1])
    let count = heads.count
    return graph.transpose(shape, [0] + Array(2..<2 + count) + [1, 2 + count])
  }

  /// Moves the heads behind the steps again, and merges them with the width.
  func joined(_ name: String, width: Int, _ graph: inout ONNXGraphBuilder) -> String {
    guard !heads.isEmpty else { return name }
    let count = heads.count
    let order = [0, count + 1] + Array(1...count) + [count + 2]
    return graph.reshape(graph.transpose(name, order), [0, 0, width])
  }

  /// Returns a mask with the axes of the scores, or axes of size 1.
  func arranged(
    _ name: String, _ mask: AttentionMask, _ shape: Shape, _ graph: inout ONNXGraphBuilder
  ) -> String {
    let ones = Array(1..<1 + heads.count)
    switch mask {
    case .keys: return graph.add("Unsqueeze", [name, graph.ints(ones + [heads.count + 1])])
    case .queries, .results:
      return graph.add("Unsqueeze", [name, graph.ints(ones + [heads.count + 2])])
    case .pairs, .bias:
      guard shape.rank == 3 else {
        return heads.isEmpty ? name : graph.add("Unsqueeze", [name, graph.ints(ones)])
      }
      guard heads.count != 1 else { return name }
      // One axis of heads becomes two, or none.
      if heads.isEmpty { return graph.add("Squeeze", [name, graph.ints([1])]) }
      if shape.dimensions[0] == 1 { return graph.add("Unsqueeze", [name, graph.ints([1])]) }
      let sizes = shape.dimensions.dropFirst().map { $0 ?? -1 }
      return graph.reshape(name, [0] + heads + sizes)
    }
  }

  /// Returns the weights with one axis of heads.
  func whole(_ name: String, _ layer: ONNXLayer, _ graph: inout ONNXGraphBuilder) -> String {
    guard heads.count > 1, let shape = layer.outputShapes.last else { return name }
    return graph.reshape(name, [0] + shape.dimensions.map { $0 ?? -1 })
  }
}

extension Shape {
  /// Returns the last size, which must be known.
  fileprivate func lastSize() throws(NetconvError) -> Int {
    guard let size = dimensions.last ?? nil else { throw .openSizeForONNX }
    return size
  }
}
