import ModelIR
import Operators

extension ONNXGraphBuilder {
  /// Returns the name of a value in an axis order; adds a transposition if necessary.
  mutating func name(_ value: ONNXValue, _ order: ValueOrder) -> String {
    let value = expanded(value)
    guard value.order != order, value.shape.rank > 0, value.shape != Shape([1]) else {
      return value.name
    }
    if value.shape.rank > 1 {
      guard order != value.order else { return value.name }
      return transposed(value, toFirst: order == .first)
    }
    var name = value.name
    if case .flattened(let shape) = value.order {
      name = moved(name, shape, toFirst: false)
    }
    if case .flattened(let shape) = order { name = moved(name, shape, toFirst: true) }
    return name
  }

  /// Returns the value in an axis order.
  mutating func value(_ value: ONNXValue, _ order: ValueOrder) -> ONNXValue {
    let order = value.shape.rank == 1 && order == .first ? .last : order
    return ONNXValue(name: name(value, order), order: order, shape: value.shape)
  }

  private mutating func transposed(_ value: ONNXValue, toFirst: Bool) -> String {
    let rank = value.shape.rank
    let order =
      toFirst ? [0, rank] + Array(1..<rank) : [0] + Array(2..<rank + 1) + [1]
    return transpose(value.name, order)
  }

  /// Returns a flattened vector in the other order.
  private mutating func moved(_ name: String, _ shape: [Int], toFirst: Bool) -> String {
    once("\(name) flattened \(toFirst ? "first" : "last") of \(shape)") { graph in
      let inside = toFirst ? shape : ValueOrder.first.arranged(shape)
      let whole = ONNXValue(
        name: graph.reshape(name, [0] + inside), order: toFirst ? .last : .first,
        shape: Shape(shape))
      return graph.add(
        "Flatten", [graph.transposed(whole, toFirst: toFirst)], .int("axis", 1))
    }
  }

  /// Returns a constant repeated for each sample of the batch; other values are unchanged.
  mutating func expanded(_ value: ONNXValue) -> ONNXValue {
    guard value.isConstant else { return value }
    let sizes = value.order.arranged(value.shape.dimensions.map { $0 ?? 1 })
    let name = once("\(value.name) for the batch") { graph in
      let shape = graph.add("Concat", [graph.batch(), graph.ints(sizes)], .int("axis", 0))
      return graph.add("Expand", [value.name, shape])
    }
    return ONNXValue(name: name, order: value.order, shape: value.shape)
  }

  /// Converts values to a common order: their own if it is the same, otherwise channels first if one of them is.
  ///
  /// - Parameter repeats: true if constants need not be repeated for each sample.
  mutating func unified(
    _ values: [ONNXValue], repeatsConstants repeats: Bool = true
  ) -> (names: [String], order: ValueOrder) {
    let some = values.filter { !$0.isConstant && $0.shape != Shape([1]) }
    let orders = Set(some.map(\.order))
    let order: ValueOrder =
      orders.count == 1 ? some[0].order : orders.contains(.first) ? .first : .last
    let keeps = repeats && !some.isEmpty
    return (values.map { keeps && $0.isConstant ? constant($0, order) : name($0, order) }, order)
  }

  /// Returns a constant of one sample in an axis order.
  private mutating func constant(_ value: ONNXValue, _ order: ValueOrder) -> String {
    order == .first && value.order == .last && value.shape.rank > 1
      ? transposed(value, toFirst: true) : value.name
  }

  /// Reshapes a parameter for broadcasting with a value, with size 1 for the axes that it does not have.
  ///
  /// - Parameters:
  ///   - axes: the sample axes of the parameter's axes, in ascending order.
  ///   - rank: the rank of a sample.
  mutating func broadcast(
    _ tensor: Tensor, along axes: [Int], rank: Int, _ order: ValueOrder
  ) throws(NetconvError) -> String {
    let own = tensor.spec.layout
    if rank == 1 { return try order == .last ? parameter(tensor, as: own) : parameter(tensor) }
    let isFirst = order == .first && axes.last == rank - 1
    let layout = isFirst ? try own.withLastFirst() : own
    let name = try parameter(tensor, as: layout)
    guard axes.count < rank, isFirst || axes != Array(rank - axes.count..<rank) else { return name }
    var sizes = [Int](repeating: 1, count: rank)
    let counts = own.dimensions.map { $0.axes.reduce(1) { $0 * (tensor.spec.sizes[$1] ?? 1) } }
    for (axis, count) in zip(axes, counts) { sizes[axis] = count }
    return once("\(name) in \(sizes) \(order)") { $0.reshape(name, order.arranged(sizes)) }
  }

  /// Returns the order of the vector that a parameter applies to.
  func order(of tensor: Tensor?) -> ValueOrder {
    guard let tensor, let sizes = tensor.flattenedSizes,
      let merged = tensor.layout.dimensions.first(where: { $0.axes.count > 1 }),
      merged.axes.first == sizes.channels
    else { return .last }
    return .flattened(sizes.sizes)
  }
}

extension Tensor {
  /// The sizes of the axes merged by a flatten before the layer, channels last; `nil` if there is none.
  var flattenedSizes: (sizes: [Int], channels: Axis)? {
    guard [.fullyConnected, .vector].contains(spec.kind), spec.cell == nil,
      let merged = spec.layout.dimensions.first(where: { $0.axes.count > 1 }),
      let channels = merged.axes.last
    else { return nil }
    return (merged.axes.map { spec.sizes[$0] ?? 1 }, channels)
  }
}

extension Layout {
  /// Returns the layout with the last dimension moved to the front.
  func withLastFirst() throws(NetconvError) -> Layout {
    guard let last = dimensions.last else { return self }
    return try Layout([last] + dimensions.dropLast(), gates: gates)
  }
}
