import ModelIR
import Operators

extension BatchNormalization: ONNXForm {
  static var onnxOperations: String { "`BatchNormalization`" }

  /// Writes the node; the channels must be the first axis after the batch.
  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let rank = x[0].shape.rank
    let axis = axis < 0 ? axis + rank : axis
    let mean = try layer.required(.mean)
    let order: ValueOrder =
      rank == 1 ? graph.order(of: mean) : axis == rank - 1 ? .first : .last
    let isMoved = order == .last && axis > 0
    var input = graph.name(x[0], order)
    if isMoved {
      let axes = [0, axis + 1] + (1...rank).filter { $0 != axis + 1 }
      input = graph.transpose(input, axes)
    }
    let count = mean.count
    func vector(_ role: ParameterRole, _ value: Double) throws(NetconvError) -> String {
      if let tensor = layer.parameters[role] { return try graph.parameter(tensor) }
      return graph.floats([Double](repeating: value, count: count), [count])
    }
    var name = graph.add(
      "BatchNormalization",
      [
        input, try vector(.gamma, 1), try vector(.beta, 0), try graph.parameter(mean),
        try graph.parameter(try layer.required(.variance)),
      ], .float("epsilon", epsilon), isMain: true)
    if isMoved {
      let axes = [0] + Array(2..<axis + 2) + [1] + Array(axis + 2..<rank + 1)
      name = graph.transpose(name, axes)
    }
    return [ONNXValue(name: name, order: order, shape: layer.shape)]
  }
}

extension LayerNormalization: ONNXForm {
  static var onnxOperations: String {
    "`LayerNormalization`; along other axes than the last, or without a mean, spelled out"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let rank = x[0].shape.rank
    let axes = try axis.indices(rank: rank)
    let gamma = layer.parameters[.gamma]
    let order = rank == 1 ? graph.order(of: gamma ?? layer.parameters[.beta]) : .last
    let input = graph.value(x[0], order)
    if subtractsMean, axes == Array(rank - axes.count..<rank) {
      let sizes = axes.map { x[0].shape.dimensions[$0] ?? 1 }
      let ones = { (graph: inout ONNXGraphBuilder) in
        graph.floats([Double](repeating: 1, count: sizes.reduce(1, *)), sizes)
      }
      var operands = [
        input.name,
        try gamma.map { tensor throws(NetconvError) in
          try graph.broadcast(tensor, along: axes, rank: rank, order)
        } ?? ones(&graph),
      ]
      if let beta = layer.parameters[.beta] {
        operands.append(try graph.broadcast(beta, along: axes, rank: rank, order))
      }
      let name = graph.add(
        "LayerNormalization", operands, .int("axis", -axes.count), .float("epsilon", epsilon),
        isMain: true)
      return [ONNXValue(name: name, order: order, shape: layer.shape)]
    }
    let places = axes.map { $0 + 1 }
    let mean = graph.add("ReduceMean", [input.name], .ints("axes", places))
    let centred = graph.add("Sub", [input.name, mean])
    let variance = graph.add(
      "ReduceMean", [graph.add("Mul", [centred, centred])], .ints("axes", places))
    let root = graph.add("Sqrt", [graph.add("Add", [variance, graph.float(epsilon)])])
    let name = graph.add(
      "Div", [subtractsMean ? centred : input.name, root], isMain: true)
    return [try graph.affine(ONNXValue(name: name, order: order, shape: layer.shape), axes, layer)]
  }
}

extension GroupNormalization: ONNXForm {
  static var onnxOperations: String { "`Reshape`, `InstanceNormalization`, `Mul`, `Add`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let rank = x[0].shape.rank
    let axis = axis < 0 ? axis + rank : axis
    guard let channels = x[0].shape.dimensions[axis] else { throw .openSizeForONNX }
    let count = groups == -1 ? channels : groups
    let order: ValueOrder = rank > 1 && axis == rank - 1 ? .first : .last
    // Channels along another axis than the last are moved to the front, after the batch, too.
    let place = order.axis(axis, rank: rank)
    let others = (1...rank).filter { $0 != place }
    let input = graph.transpose(graph.name(x[0], order), [0, place] + others)
    let split = graph.reshape(input, [0, count, -1])
    let normalized = graph.add(
      "InstanceNormalization",
      [
        split, graph.floats([Double](repeating: 1, count: count), [count]),
        graph.floats([Double](repeating: 0, count: count), [count]),
      ], .float("epsilon", epsilon), isMain: true)
    let joined = graph.add("Reshape", [normalized, graph.add("Shape", [input])])
    let front = others.filter { $0 < place }.map { $0 + 1 }
    let back = [0] + front + [1] + others.filter { $0 > place }
    let whole = ONNXValue(
      name: graph.transpose(joined, back), order: order, shape: layer.shape)
    return [try graph.affine(whole, [axis], layer)]
  }
}

extension RMSNormalization: ONNXForm {
  static var onnxOperations: String { "`Mul`, `ReduceMean`, `Add`, `Sqrt`, `Div`, `Mul`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let rank = x[0].shape.rank
    let axes = try axis.indices(rank: rank)
    let order = rank == 1 ? graph.order(of: layer.parameters[.gamma]) : .last
    let input = graph.value(x[0], order)
    let square = graph.add("Mul", [input.name, input.name])
    let mean = graph.add("ReduceMean", [square], .ints("axes", axes.map { $0 + 1 }))
    let root = graph.add("Sqrt", [graph.add("Add", [mean, graph.float(epsilon)])])
    let name = graph.add("Div", [input.name, root], isMain: true)
    return [try graph.affine(ONNXValue(name: name, order: order, shape: layer.shape), axes, layer)]
  }
}

extension UnitNormalization: ONNXForm {
  static var onnxOperations: String { "`ReduceL2`, `Max`, `Div`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let input = graph.expanded(x[0])
    let axes = try axis.indices(rank: input.shape.rank).map { input.axis($0) }
    let norm = graph.add("ReduceL2", [input.name], .ints("axes", axes))
    let least = graph.add("Max", [norm, graph.float(smallestNorm)])
    let name = graph.add("Div", [input.name, least], isMain: true)
    return [ONNXValue(name: name, order: input.order, shape: layer.shape)]
  }
}

extension Scale: ONNXForm {
  static var onnxOperations: String { "`Mul`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let rank = x[0].shape.rank
    let gamma = try layer.required(.gamma)
    let input = graph.value(x[0], rank == 1 ? graph.order(of: gamma) : x[0].order)
    let name = graph.add(
      "Mul", [input.name, try graph.broadcast(gamma, along: [rank - 1], rank: rank, input.order)],
      isMain: true)
    return [ONNXValue(name: name, order: input.order, shape: layer.shape)]
  }
}

extension ONNXGraphBuilder {
  /// Multiplies by gamma and adds beta, if the layer has them.
  fileprivate mutating func affine(
    _ value: ONNXValue, _ axes: [Int], _ layer: ONNXLayer
  ) throws(NetconvError) -> ONNXValue {
    var name = value.name
    let rank = value.shape.rank
    if let gamma = layer.parameters[.gamma] {
      name = add("Mul", [name, try broadcast(gamma, along: axes, rank: rank, value.order)])
    }
    if let beta = layer.parameters[.beta] {
      name = add("Add", [name, try broadcast(beta, along: axes, rank: rank, value.order)])
    }
    return ONNXValue(name: name, order: value.order, shape: value.shape)
  }
}
