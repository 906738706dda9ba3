import ModelIR

/// The axis order of a sample in the graph, after the batch axis.
enum ValueOrder: Hashable {
  /// Channels last, as in the model.
  case last
  /// Channels first: the last axis is moved before the others.
  case first
  /// A vector flattened in channels-first order, with the given sizes in the order of the model.
  case flattened([Int])
}

/// A value of the graph.
struct ONNXValue {
  /// The name in the graph.
  let name: String
  /// The axis order in the graph.
  let order: ValueOrder
  /// The shape of a sample in the order of the model.
  let shape: Shape
  /// True if the value has one sample regardless of the batch size.
  var isConstant = false

  /// Returns the axis of the graph for an axis of the model.
  func axis(_ axis: Int) -> Int { order.axis(axis, rank: shape.rank) }
}

extension ValueOrder {
  /// Returns the axis of the graph for an axis of a sample.
  func axis(_ axis: Int, rank: Int) -> Int {
    guard self == .first, rank > 1 else { return axis + 1 }
    return axis == rank - 1 ? 1 : axis + 2
  }

  /// Rearranges the properties of a sample's axes to the order of the graph, without the batch.
  func arranged<Element>(_ axes: [Element]) -> [Element] {
    guard self == .first, let last = axes.last, axes.count > 1 else { return axes }
    return [last] + axes.dropLast()
  }
}
