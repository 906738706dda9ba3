import Documents
import ModelIR
import Operators

/// A call of a layer as it becomes a layer of the model, or a change of order between two calls.
struct KerasStep {
  /// The layer's name in the model.
  var name: String
  /// What it computes.
  let operation: any Operator
  /// The steps or inputs that it reads.
  var inputs: [String]
  /// The call; `nil` if the step only changes the order of values.
  let node: KerasArchitecture.Node?
  /// How stored parameters lie, where it is not in the order in which the operator reads them.
  var layouts: [ParameterRole: Layout] = [:]

  /// The same step where steps have new names.
  func renamed(_ names: [String: String]) -> KerasStep {
    var step = self
    step.name = names[name] ?? name
    step.inputs = inputs.map { names[$0] ?? $0 }
    return step
  }
}

/// The steps of a graph in which some layers have channels first, with channels last throughout.
///
/// Values are kept with channels last for as long as layers allow it, and brought into Keras's own order where
/// one needs it and for the model's outputs. A flatten of values in Keras's order becomes a flatten with
/// channels last, and the kernel behind it is read as `(IHW)O`: nothing is moved when the model runs.
struct KerasChannelOrder {
  /// How the value of a step differs from what Keras computes there.
  private enum Order: Equatable {
    /// Not at all.
    case own
    /// The first axis has become the last.
    case last
    /// It is flattened from this shape with channels last, where Keras has them first.
    case flattened([Int])
  }

  /// The steps, in the order in which they can be computed.
  private(set) var steps: [KerasStep] = []

  private let layers: KerasMappedLayers
  private let callCounts: [String: Int]
  private var orders: [String: Order] = [:]
  private var shapes: [String: Shape] = [:]
  /// The names of the changes of order that were made.
  private var changes: Set<String> = []

  /// Orders the calls of `architecture`.
  ///
  /// - Throws: `badData` if calls read each other in a circle, or a layer does not fit what it reads.
  init(_ architecture: KerasArchitecture, _ layers: KerasMappedLayers) throws(NetconvError) {
    self.layers = layers
    callCounts = Dictionary(architecture.nodes.map { ($0.owner, 1) }, uniquingKeysWith: +)
    for input in architecture.inputs { shapes[input.name] = input.shape }
    var nodes: [String: KerasArchitecture.Node] = [:]
    for node in architecture.nodes { nodes[node.name] = node }
    let definitions = architecture.nodes.map {
      LayerDefinition(name: $0.name, operation: Identity(), inputs: $0.inputs)
    }
    for definition in try topologicalOrder(of: definitions) {
      guard let node = nodes[definition.name] else { continue }
      do throws(NetconvError) {
        try add(node)
      } catch {
        throw error.inLayer(node.name)
      }
    }
    try nameOutputs(architecture.outputs)
  }

  /// Gives every output in Keras's order, under the name of its layer.
  private mutating func nameOutputs(_ names: [String]) throws(NetconvError) {
    var renamed: [String: String] = [:]
    for name in names {
      let own = try inOwnOrder(name)
      guard own != name else { continue }
      renamed[name] = name + "/channels_last"
      renamed[own] = name
    }
    steps = steps.map { $0.renamed(renamed) }
  }

  private mutating func add(_ node: KerasArchitecture.Node) throws(NetconvError) {
    let orders = node.inputs.map { self.orders[$0] ?? .own }
    let rank = node.inputs.first.flatMap { shapes[$0]?.rank } ?? 0
    if layers.isChannelsFirst(node) {
      let inputs = try node.inputs.map { input throws(NetconvError) in try withChannelsLast(input) }
      return try append(node, layers.operation(of: node), inputs) { $0.rank > 1 ? .last : .own }
    }
    if orders.contains(.last),
      let operation = layers.operationWithChannelsLast(of: node, rank: rank)
    {
      let inputs = try node.inputs.map { input throws(NetconvError) in try withChannelsLast(input) }
      return try append(node, operation, inputs) { _ in .last }
    }
    if let first = orders.first, first != .own, orders.allSatisfy({ $0 == first }),
      try addFlattened(node, first)
    {
      return
    }
    let inputs = try node.inputs.map { input throws(NetconvError) in try inOwnOrder(input) }
    try append(node, layers.operation(of: node), inputs) { _ in .own }
  }

  /// Adds a flatten, or a layer behind one that does not care for the order of what was flattened.
  ///
  /// - Returns: whether the call is of that kind.
  private mutating func addFlattened(
    _ node: KerasArchitecture.Node, _ order: Order
  ) throws(NetconvError) -> Bool {
    let operation = layers.operation(of: node)
    let inputs = node.inputs.compactMap { shapes[$0] }
    guard inputs.count == node.inputs.count, let input = inputs.first else { return false }
    switch order {
    case .own: return false
    case .last:
      guard operation.axisFlow(from: inputs) == .flatten, let shape = input.known else {
        return false
      }
      try append(node, operation, node.inputs) { _ in .flattened(shape) }
      return true
    case .flattened(let shape):
      let keepsOrder =
        operation.axisFlow(from: inputs) == .elementwise && !operation.caresForOrder
      guard keepsOrder || operation is Dense, input.rank == 1 else { return false }
      var layouts: [ParameterRole: Layout] = [:]
      for spec in try operation.parameters(for: inputs) {
        guard let axis = spec.featureAxis else {
          // A bias counts what the layer gives, not what it reads.
          if keepsOrder, try spec.count() > 1 { return false }
          continue
        }
        layouts[spec.role] = spec.layout.replacing(axis, with: [axis] + Self.spatial(shape))
      }
      // Another call of the layer may need the same parameters in another order.
      guard layouts.isEmpty || callCounts[node.owner] == 1 else { return false }
      try append(node, operation, node.inputs, layouts) { _ in keepsOrder ? order : .own }
      return true
    }
  }

  /// The axes of `shape` but for the last, as kernels name them.
  private static func spatial(_ shape: [Int]) -> [Axis] {
    Array([Axis.depth, .height, .width].suffix(shape.count - 1))
  }

  private mutating func append(
    _ node: KerasArchitecture.Node, _ operation: any Operator, _ inputs: [String],
    _ layouts: [ParameterRole: Layout] = [:], _ order: (Shape) -> Order
  ) throws(NetconvError) {
    let inputShapes = inputs.compactMap { shapes[$0] }
    // What is wrong with such a call is said when the whole model is checked.
    if inputShapes.count == inputs.count, operation.inputCount.contains(inputs.count) {
      let shape = try operation.outputShape(for: inputShapes)
      shapes[node.name] = shape
      orders[node.name] = order(shape)
    }
    steps.append(
      KerasStep(
        name: node.name, operation: operation, inputs: inputs, node: node, layouts: layouts))
  }
}

// MARK: - Changes of order

extension KerasChannelOrder {
  /// The step with the same value, its first axis the last.
  private mutating func withChannelsLast(_ name: String) throws(NetconvError) -> String {
    if orders[name] == .last { return name }
    let own = try inOwnOrder(name)
    guard let rank = shapes[own]?.rank, rank > 1 else { return own }
    return try change(
      own, "channels_last", Permute(order: Array(1..<rank) + [0]), order: .last)
  }

  /// The step with the value that Keras computes.
  private mutating func inOwnOrder(_ name: String) throws(NetconvError) -> String {
    switch orders[name] ?? .own {
    case .own: return name
    case .last:
      let rank = shapes[name]?.rank ?? 0
      return try change(
        name, "channels_first", Permute(order: [rank - 1] + Array(0..<rank - 1)), order: .own)
    case .flattened(let shape):
      let image = try change(name, "image", Reshape(shape: shape), order: .last)
      return try change(
        try inOwnOrder(image), "flat", Flatten(), order: .own)
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
    steps.append(KerasStep(name: name, operation: operation, inputs: [input], node: nil))
    return name
  }
}

// MARK: - Configurations

extension KerasLayerConfig {
  /// Whether the layer takes the first axis of an image for its channels.
  var isChannelsFirst: Bool {
    settings["data_format"] == .string("channels_first") || KerasReduction.isOverLastAxes(self)
  }

  /// The layer for the same image with channels last.
  var withChannelsLast: KerasLayerConfig {
    var layer =
      KerasReduction.isOverLastAxes(self)
      ? KerasReduction.overFirstAxes(self)
      : replacing("data_format", with: .string("channels_last"))
    layer.hasMovedChannels = true
    return layer
  }

  /// The layer for the same array with the first axis the last, where `key` names one axis or several.
  ///
  /// - Parameters:
  ///   - fallback: Keras's default.
  ///   - rank: axes of the array, without the batch.
  func movingAxes(_ key: String, default fallback: Int, rank: Int) -> KerasLayerConfig {
    let value = value(of: key) ?? .number(Double(fallback))
    func moved(_ value: JSONValue) -> JSONValue {
      guard let axis = value.int, axis != 0, rank > 0 else { return value }
      let index = axis < 0 ? axis + rank : axis - 1
      return .number(Double(index == 0 ? rank : index))
    }
    return replacing(key, with: value.array.map { .array($0.map(moved)) } ?? moved(value))
  }
}
