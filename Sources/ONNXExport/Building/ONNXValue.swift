import ModelIR

/// How the values of a sample lie in the graph, behind the batch.
enum ValueOrder: Hashable {
  /// As in the model, the channels last.
  case last
  /// The last axis, the channels, in front of the others.
  case first
  /// A vector that is flattened with the channels first: what has the sizes given, in the order of the model.
  case flattened([Int])
}

/// A value of the graph.
struct ONNXValue {
  /// What the graph calls it.
  let name: String
  /// How it lies there.
  let order: ValueOrder
  /// The shape of a sample, in the order of the model.
  let shape: Shape
  /// Whether it has one sample, whatever the batch is.
  var isConstant = false

  /// The axis of the graph that an axis of the model is.
  func axis(_ axis: Int) -> Int { order.axis(axis, rank: shape.rank) }
}

extension ValueOrder {
  /// The axis of the graph that an axis of a sample is.
  func axis(_ axis: Int, rank: Int) -> Int {
    guard self == .first, rank > 1 else { return axis + 1 }
    return axis == rank - 1 ? 1 : axis + 2
  }

  /// What belongs to each axis of a sample, in the order of the graph, without the batch.
  func arranged<Element>(_ axes: [Element]) -> [Element] {
    guard self == .first, let last = axes.last, axes.count > 1 else { return axes }
    return [last] + axes.dropLast()
  }
}
