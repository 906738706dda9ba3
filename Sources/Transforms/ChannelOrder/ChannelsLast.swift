import ModelIR
import Operators

/// The layers of a graph in which some have channels first, with channels last throughout.
///
/// Values are kept with channels last for as long as layers allow it, and brought into the source's own order where
/// one needs it and for the model's outputs. A flatten of values in the source's order becomes a flatten with
/// channels last, and the kernel behind it is read as `(IHW)O`: nothing is moved when the model runs.
public struct ChannelsLast {
  /// How the value of a layer differs from what the source computes there.
  private enum Order: Equatable {
    /// Not at all.
    case own
    /// The first axis has become the last.
    case last
    /// It is flattened from this shape with channels last, where the source has them first.
    case flattened([Int])
  }

  /// The layers, in an order in which they can be computed.
  public private(set) var layers: [ReorderedLayer] = []

  /// How many layers share the parameters of an owner.
  private let sharing: [String: Int]
  private var orders: [String: Order] = [:]
  private var shapes: [String: Shape] = [:]
  /// The names of the changes of order that were made.
  private var changes: Set<String> = []

  /// Reorders `layers` of a graph.
  ///
  /// - Parameters:
  ///   - inputs: of the model; they stay as they are.
  ///   - layers: in any order.
  ///   - outputs: names of layers or inputs; they stay, and so do the values.
  /// - Throws: `badData` if layers read each other in a circle, or one does not fit what it reads.
  public init(
    inputs: [ModelInput], layers: [OrderedLayer], outputs: [String]
  ) throws(NetconvError) {
    sharing = Dictionary(
      layers.compactMap(\.definition.parameterOwner).map { ($0, 1) }, uniquingKeysWith: +)
    for input in inputs { shapes[input.name] = input.shape }
    var axes: [String: OrderedLayer.Axes] = [:]
    for layer in layers { axes[layer.definition.name] = layer.axes }
    for definition in try topologicalOrder(of: layers.map(\.definition)) {
      guard let axes = axes[definition.name] else { continue }
      do throws(NetconvError) {
        try add(definition, axes)
      } catch {
        throw error.inLayer(definition.name)
      }
    }
    try nameOutputs(outputs)
  }

  /// Gives every output in the source's order, under its own name.
  private mutating func nameOutputs(_ names: [String]) throws(NetconvError) {
    var renamed: [String: String] = [:]
    for name in names {
      let own = try inOwnOrder(name)
      guard own != name else { continue }
      renamed[name] = name + "/channels_last"
      renamed[own] = name
    }
    for index in layers.indices {
      let definition = layers[index].definition
      let outputs = definition.outputs.map { renamed[$0] ?? $0 }
      layers[index].definition.name = outputs[0]
      if outputs.count > 1 { layers[index].definition.furtherOutputs = Array(outputs.dropFirst()) }
      layers[index].definition.inputs = definition.inputs.map { renamed[$0] ?? $0 }
    }
  }

  private mutating func add(
    _ definition: LayerDefinition, _ axes: OrderedLayer.Axes
  ) throws(NetconvError) {
    var definition = definition
    let orders = definition.inputs.map { self.orders[$0] ?? .own }
    switch axes {
    case .channelsFirst:
      try readChannelsLast(&definition)
      return try append(definition) { $0.rank > 1 ? .last : .own }
    case .counted(let moved):
      let rank = definition.inputs.first.flatMap { shapes[$0]?.rank } ?? 0
      guard orders.contains(.last), let operation = moved(rank) else { break }
      try readChannelsLast(&definition)
      definition.operation = operation
      return try append(definition) { _ in .last }
    }
    if let first = orders.first, first != .own, orders.allSatisfy({ $0 == first }),
      try addFlattened(definition, first)
    {
      return
    }
    definition.inputs = try definition.inputs.map { input throws(NetconvError) in
      try inOwnOrder(input)
    }
    try append(definition) { _ in .own }
  }

  /// Adds a flatten, or a layer behind one that does not care for the order of what was flattened.
  ///
  /// - Returns: whether the layer is of that kind.
  private mutating func addFlattened(
    _ definition: LayerDefinition, _ order: Order
  ) throws(NetconvError) -> Bool {
    let operation = definition.operation
    let inputs = definition.inputs.compactMap { shapes[$0] }
    guard inputs.count == definition.inputs.count, let input = inputs.first else { return false }
    switch order {
    case .own: return false
    case .last:
      guard operation.axisFlow(from: inputs) == .flatten, let shape = input.known else {
        return false
      }
      try append(definition) { _ in .flattened(shape) }
      return true
    case .flattened(let shape):
      let keepsOrder = operation.axisFlow(from: inputs) == .elementwise
      guard input.rank == 1,
        let layouts = try layouts(definition, inputs, shape, keepsOrder: keepsOrder)
      else { return false }
      try append(definition, layouts) { _ in keepsOrder ? order : .own }
      return true
    }
  }

  /// How the parameters of a layer lie that reads a flattened image of `shape` with channels last.
  ///
  /// - Parameter keepsOrder: whether each value of its output stands where its input's stood.
  /// - Returns: `nil` if the layer has to see the values in the source's order.
  private func layouts(
    _ definition: LayerDefinition, _ inputs: [Shape], _ shape: [Int], keepsOrder: Bool
  ) throws(NetconvError) -> [ParameterRole: Layout]? {
    let operation = definition.operation
    switch operation.orderDependence {
    case .none: guard keepsOrder else { return nil }
    case .throughParameters: break
    case .full: return nil
    }
    var layouts: [ParameterRole: Layout] = [:]
    for spec in try operation.parameters(for: inputs) {
      guard let axis = spec.featureAxis else {
        // A bias counts what the layer gives, not what it reads.
        if keepsOrder, try spec.count() > 1 { return nil }
        continue
      }
      layouts[spec.role] = spec.layout.replacing(axis, with: [axis] + Self.spatial(shape))
    }
    // Another layer may need the same parameters in another order.
    guard layouts.isEmpty || sharing[definition.parameterOwner ?? ""] ?? 1 == 1 else { return nil }
    return layouts
  }

  /// The axes of `shape` but for the last, as kernels name them.
  private static func spatial(_ shape: [Int]) -> [Axis] {
    Array([Axis.depth, .height, .width].suffix(shape.count - 1))
  }

  private mutating func append(
    _ definition: LayerDefinition, _ layouts: [ParameterRole: Layout] = [:],
    _ order: (Shape) -> Order
  ) throws(NetconvError) {
    let inputs = definition.inputs.compactMap { shapes[$0] }
    // What is wrong with such a layer is said when the whole model is checked.
    if inputs.count == definition.inputs.count,
      definition.operation.inputCount.contains(inputs.count)
    {
      let outputs = try definition.operation.outputShapes(for: inputs)
      for (name, shape) in zip(definition.outputs, outputs) {
        shapes[name] = shape
        orders[name] = order(shape)
      }
    }
    layers.append(
      ReorderedLayer(definition: definition, source: definition.name, layouts: layouts))
  }
}

// MARK: - Changes of order

extension ChannelsLast {
  private mutating func readChannelsLast(_ definition: inout LayerDefinition) throws(NetconvError) {
    definition.inputs = try definition.inputs.map { input throws(NetconvError) in
      try withChannelsLast(input)
    }
  }

  /// The layer with the same value, its first axis the last.
  private mutating func withChannelsLast(_ name: String) throws(NetconvError) -> String {
    if orders[name] == .last { return name }
    let own = try inOwnOrder(name)
    guard let rank = shapes[own]?.rank, rank > 1 else { return own }
    return try change(
      own, "channels_last", Permute(order: Array(1..<rank) + [0]), order: .last)
  }

  /// The layer with the value that the source computes.
  private mutating func inOwnOrder(_ name: String) throws(NetconvError) -> String {
    switch orders[name] ?? .own {
    case .own: return name
    case .last:
      let rank = shapes[name]?.rank ?? 0
      return try change(
        name, "channels_first", Permute(order: [rank - 1] + Array(0..<rank - 1)), order: .own)
    case .flattened(let shape):
      let image = try change(name, "image", Reshape(shape: shape), order: .last)
      return try change(try inOwnOrder(image), "flat", Flatten(), order: .own)
    }
  }

  private mutating func change(
    _ input: String, _ suffix: String, _ operation: any Operator, order: Order
  ) throws(NetconvError) -> String {
    let name = "\(input)/\(suffix)"
    guard !changes.contains(name) else { return name }
    guard let shape = shapes[input] else { return input }
    shapes[name] = try operation.outputShape(for: [shape])
    orders[name] = order
    changes.insert(name)
    layers.append(
      ReorderedLayer(
        definition: LayerDefinition(name: name, operation: operation, inputs: [input]),
        source: nil, layouts: [:]))
    return name
  }
}
