import ModelIR
import Operators

/// The layers of a graph with mixed axis orders, converted to channels last throughout.
///
/// Values are kept channels last as long as layers allow it, and converted to the source's own order where a layer
/// requires it and for the model's outputs. A flatten of values in the source's order becomes a flatten of
/// channels-last values, and the kernel after it is read as `(IHW)O`: no values are moved when the model runs.
public struct ChannelsLast {
  /// The difference between the value of a layer and the value in the source.
  private enum Order: Equatable {
    /// No difference.
    case own
    /// The first axis has become the last.
    case last
    /// The value is flattened from this channels-last shape; in the source it is channels first.
    case flattened([Int])
  }

  /// The layers in topological order.
  public private(set) var layers: [ReorderedLayer] = []

  /// The number of layers that share the parameters of an owner.
  private let sharing: [String: Int]
  private var orders: [String: Order] = [:]
  private var shapes: [String: Shape] = [:]
  /// The names of the inserted conversions.
  private var changes: Set<String> = []

  /// Converts the `layers` of a graph.
  ///
  /// - Parameters:
  ///   - inputs: the inputs of the model, which stay as they are.
  ///   - layers: the layers in any order.
  ///   - outputs: names of layers or inputs, which keep their names and values.
  /// - Throws: `badData` if the layers form a cycle, or if one does not fit its inputs.
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

  /// Converts every output to the source's order, under its own name.
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

  /// Adds a flatten, or a layer after one that does not depend on the order of the flattened values.
  ///
  /// - Returns: true if the layer was added.
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

  /// Returns the layouts of the parameters of a layer whose input is a flattened channels-last image of `shape`.
  ///
  /// - Parameter keepsOrder: true if each output value has the index of its input value.
  /// - Returns: `nil` if the layer requires the values in the source's order.
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
        // A bias belongs to the outputs of the layer, not to its inputs.
        if keepsOrder, try spec.count() > 1 { return nil }
        continue
      }
      layouts[spec.role] = spec.layout.replacing(axis, with: [axis] + Self.spatial(shape))
    }
    // Another layer may need the same parameters in another order.
    guard layouts.isEmpty || sharing[definition.parameterOwner ?? ""] ?? 1 == 1 else { return nil }
    return layouts
  }

  /// Returns the axes of `shape` except the last, as named in kernels.
  private static func spatial(_ shape: [Int]) -> [Axis] {
    Array([Axis.depth, .height, .width].suffix(shape.count - 1))
  }

  private mutating func append(
    _ definition: LayerDefinition, _ layouts: [ParameterRole: Layout] = [:],
    _ order: (Shape) -> Order
  ) throws(NetconvError) {
    let inputs = definition.inputs.compactMap { shapes[$0] }
    // Errors in such a layer are reported when the whole model is validated.
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

  /// Returns the layer with the same value in channels-last order.
  private mutating func withChannelsLast(_ name: String) throws(NetconvError) -> String {
    if orders[name] == .last { return name }
    let own = try inOwnOrder(name)
    guard let rank = shapes[own]?.rank, rank > 1 else { return own }
    return try change(
      own, "channels_last", Permute(order: Array(1..<rank) + [0]), order: .last)
  }

  /// Returns the layer with the value as computed in the source.
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
