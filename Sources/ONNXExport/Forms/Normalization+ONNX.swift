import ModelIR
import Operators

extension Normalization: ONNXForm {
  static var onnxOperations: String { "`Sub`, `Sqrt`, `Max`, `Div`; inverted `Mul`, `Add`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let rank = x[0].shape.rank
    let axes = axes.isEmpty ? [] : try AxisList(axes).indices(rank: rank)
    let tensor = layer.parameters[.mean]
    let isPlain = statistics != nil && axes != [rank - 1]
    let input = graph.value(
      x[0], rank == 1 ? graph.order(of: tensor) : isPlain ? .last : x[0].order)
    let mean: String
    let deviation: String
    if let statistics {
      mean = try constant(statistics.mean, axes, input, &graph)
      let deviations = statistics.variance.map { max($0.squareRoot(), Self.smallest) }
      deviation = try constant(deviations, axes, input, &graph)
    } else {
      mean = try parameter(try layer.required(.mean), axes, input, &graph)
      let variance = try parameter(try layer.required(.variance), axes, input, &graph)
      deviation = graph.add("Max", [graph.add("Sqrt", [variance]), graph.float(Self.smallest)])
    }
    let name =
      invert
      ? graph.add("Add", [graph.add("Mul", [input.name, deviation]), mean])
      : graph.add("Div", [graph.add("Sub", [input.name, mean]), deviation])
    return [ONNXValue(name: name, order: input.order, shape: layer.shape)]
  }

  /// The smallest divisor, as in Keras.
  private static let smallest = 1e-7

  private func parameter(
    _ tensor: Tensor, _ axes: [Int], _ input: ONNXValue, _ graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> String {
    axes.isEmpty
      ? try graph.parameter(tensor)
      : try graph.broadcast(tensor, along: axes, rank: input.shape.rank, input.order)
  }

  /// Adds statistics that are attributes, repeated if there are fewer than indices.
  private func constant(
    _ values: [Double], _ axes: [Int], _ input: ONNXValue, _ graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> String {
    guard values.count > 1 else { return graph.float(values[0]) }
    guard axes != [input.shape.rank - 1] else { return graph.channels(values, of: input) }
    let sizes = input.shape.dimensions.enumerated().map { axes.contains($0) ? $1 : 1 }
    guard let known = Shape(sizes).known else { throw .openSizeForONNX }
    let places = 0..<known.reduce(1, *)
    return graph.floats(places.map { values[$0 % values.count] }, known)
  }
}

extension Rescaling: ONNXForm {
  static var onnxOperations: String { "`Mul`, `Add`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let isPlain = x[0].shape.rank > 1 || scale.count == 1 && offset.count == 1
    let input = isPlain ? graph.expanded(x[0]) : graph.value(x[0], .last)
    var name = input.name
    if scale != [1] { name = graph.add("Mul", [name, graph.channels(scale, of: input)]) }
    if offset != [0] { name = graph.add("Add", [name, graph.channels(offset, of: input)]) }
    return [ONNXValue(name: name, order: input.order, shape: layer.shape)]
  }
}

extension ONNXGraphBuilder {
  /// Adds one number for all values, or one for each channel.
  fileprivate mutating func channels(_ values: [Double], of input: ONNXValue) -> String {
    guard values.count > 1 else { return float(values[0]) }
    var sizes = [Int](repeating: 1, count: input.shape.rank)
    sizes[sizes.count - 1] = values.count
    return floats(values, input.order.arranged(sizes))
  }
}
