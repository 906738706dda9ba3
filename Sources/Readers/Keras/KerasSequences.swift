import Documents
import ModelIR
import Operators

/// The properties of a recurrent layer's call that its configuration does not state.
struct KerasRecurrentCall: Sendable {
  /// True if the second input is a mask of valid steps.
  var takesMask = false
  /// True if the last inputs are the initial states.
  var takesState = false
  /// True if one of the final states is used.
  var givesStates = false
  /// True if the states are kept between batches.
  var isStateful = false
  /// The batch size, if the model states it.
  var batch: Int?
}

/// A nested layer that owns weights.
struct KerasPart: Sendable {
  /// The name of the part in layer names.
  let name: String
  /// The path of its group within the outer layer's group in Keras's own format.
  let group: String
  /// The test that distinguishes its HDF5 groups from those of other parts; `nil` if it is the only part.
  let match: Match?

  /// True if the part is the outer layer's own weights, seen in another way.
  var isView: Bool { group.isEmpty }

  /// A test of the group names between the outer layer and a weight.
  enum Match: Sendable {
    case named(String)
    case prefixed(String)
    /// In Keras 3, an explicit backward layer keeps its own name.
    case notPrefixed(String)
  }

  /// Returns true if a weight in these groups belongs to the part.
  func holds(_ owners: [Substring]) -> Bool {
    switch match {
    case nil: true
    case .named(let name): owners.contains { $0 == name }
    case .prefixed(let prefix): owners.contains { $0.hasPrefix(prefix) }
    case .notPrefixed(let prefix): !owners.contains { $0.hasPrefix(prefix) }
    }
  }
}

/// The calls of a graph, with composite layers expanded and masks as separate values.
///
/// A bidirectional layer becomes two layers and their combination; cells become layers. Keras passes masks from layer
/// to layer alongside the values. Here a mask is the output of a layer, and an input of the layers that use it.
///
/// Source: Keras 2.15, keras/src/engine/base_layer.py, `_set_mask_metadata`; keras/src/layers/layer.py of Keras 3;
/// keras/src/layers/rnn.
struct KerasSequences {
  /// The expanded calls.
  private(set) var nodes: [KerasArchitecture.Node] = []

  /// The names of all values that are read, and of the outputs.
  let uses: Set<String>
  private(set) var masks: KerasMasks

  /// Expands `calls`.
  ///
  /// - Parameters:
  ///   - outputs: The outputs of the model.
  ///   - attentionClearsMasks: True if attention clears the masks of what it reads; `nil` if that is unknown.
  /// - Throws: `badData` if a mask reaches a layer that does not support it, or a layer cannot be expanded.
  init(
    _ calls: [KerasArchitecture.Node], outputs: [String], attentionClearsMasks: Bool?
  ) throws(NetconvError) {
    uses = Set(calls.flatMap(\.inputs) + outputs)
    masks = KerasMasks(calls, outputs: outputs, attentionClearsMasks: attentionClearsMasks)
    for call in calls where !masks.isArithmetic(call) {
      do throws(NetconvError) {
        try spell(call)
      } catch {
        throw error.inLayer(call.name)
      }
    }
  }

  mutating func add(_ node: KerasArchitecture.Node) { nodes.append(node) }
}

// MARK: - Composite layers

extension KerasSequences {
  private mutating func spell(_ call: KerasArchitecture.Node) throws(NetconvError) {
    let mask = try masks.mask(reaching: call)
    nodes += masks.takeMade()
    switch call.layer.className {
    case KerasTimeDistributed.className:
      var inner = call
      inner.layer = try call.layer.part("layer", called: call.layer.name)
      inner.parts.append(KerasPart(name: "layer", group: "layer", match: nil))
      inner.distribution += 1
      // The inner layer sees single steps, to which no mask applies.
      inner.masks = []
      try spellInner(inner, mask: nil)
    case let name where KerasMultiHeadAttention.classNames.contains(name):
      try spellHeads(call)
    case let name where KerasAttention.classNames.contains(name): try spellAttention(call)
    default: try spellInner(call, mask: mask)
    }
  }

  private mutating func spellInner(
    _ call: KerasArchitecture.Node, mask: String?
  ) throws(NetconvError) {
    switch call.layer.className {
    case KerasBidirectional.className: try spellBidirectional(call, mask)
    case KerasRecurrentCell.className: try spellCells(call, mask)
    case KerasEinsumDense.className: try spellEinsum(call)
    case KerasReversibleEmbedding.className where call.isReversed: try spellReversed(call)
    case let name where KerasAttention.isAttention(name): throw .distributedAttention
    default:
      if KerasRecurrent.stateCount(of: call.layer.className) != nil {
        try spellRecurrent(call, mask)
      } else {
        try spellPlain(call, mask)
      }
    }
  }

  private mutating func spellPlain(
    _ call: KerasArchitecture.Node, _ mask: String?
  ) throws(NetconvError) {
    var call = call
    if let mask {
      switch KerasLayers.maskRule(of: call.layer) {
      case .averages:
        call.inputs.append(mask)
        call.recurrence.takesMask = true
      case .refuses, .combines: throw .unsupportedMask(call.layer.statedClass)
      default: break
      }
    }
    if let operands = try KerasArithmetic.arrays(of: call.layer) {
      return try spellArrays(call, operands)
    }
    add(call)
  }

  /// Adds a recurrent layer, with its states as outputs if any of them is used.
  private mutating func spellRecurrent(
    _ call: KerasArchitecture.Node, _ mask: String?
  ) throws(NetconvError) {
    if mask != nil { try call.layer.requireMaskable() }
    let count = KerasRecurrent.stateCount(of: call.layer.className) ?? 1
    let states = Array(call.inputs.dropFirst())
    guard states.isEmpty || states.count == count else {
      throw .wrongStates(states.count, expected: count)
    }
    try addRecurrent(call, mask, states, outputsFrom: 1, of: call, statedBy: call.layer)
  }

  /// Adds a recurrent layer, with its states as outputs if any of them is used.
  ///
  /// - Parameters:
  ///   - node: The layer, named after its first output.
  ///   - first: The index of its first state among the outputs of `call`.
  ///   - call: The call whose outputs include the states.
  ///   - layer: The layer whose `return_state` setting applies.
  /// - Throws: `badData` if a state is used that the layer does not return.
  private mutating func addRecurrent(
    _ node: KerasArchitecture.Node, _ mask: String?, _ states: [String], outputsFrom first: Int,
    of call: KerasArchitecture.Node, statedBy layer: KerasLayerConfig
  ) throws(NetconvError) {
    var node = node
    let isStateful = try layer.bool("stateful", default: false)
    if isStateful, states.isEmpty {
      guard node.distribution == 0 else { throw .statefulSteps }
      node.recurrence.isStateful = true
    }
    node.inputs = node.inputs.prefix(1) + [mask].compactMap(\.self) + states
    node.recurrence.takesMask = mask != nil
    node.recurrence.takesState = !states.isEmpty
    let count = KerasRecurrent.stateCount(of: node.layer.className) ?? 1
    let left = (first..<first + count).map { KerasArchitecture.Node.output($0, of: call.name) }
    if left.contains(where: uses.contains) {
      try layer.requireStates()
      node.recurrence.givesStates = true
      node.furtherOutputs = left
    }
    add(node)
  }

  private mutating func spellBidirectional(
    _ call: KerasArchitecture.Node, _ mask: String?
  ) throws(NetconvError) {
    let layers = try KerasBidirectional.layers(of: call.layer)
    let count = try KerasRecurrentCell.stateCount(of: layers.forward)
    let states = Array(call.inputs.dropFirst())
    guard states.isEmpty || states.count == 2 * count else {
      throw .wrongStates(states.count, expected: 2 * count)
    }
    let merge = try KerasBidirectional.merge(of: call.layer)
    let outputs = merge == nil ? 2 : 1
    var results: [String] = []
    for (direction, layer) in [("forward", layers.forward), ("backward", layers.backward)] {
      var inner = call
      inner.layer = layer
      inner.name = "\(call.name)/\(direction)"
      let isForward = direction == "forward"
      inner.parts.append(
        KerasPart(
          name: direction, group: "\(direction)_layer",
          match: isForward ? .prefixed("forward_") : .notPrefixed("forward_")))
      let own = isForward ? states.prefix(states.count / 2) : states.suffix(states.count / 2)
      try addCells(
        inner, mask, Array(own), outputsFrom: outputs + (isForward ? 0 : count), of: call)
      results.append(inner.name)
    }
    if try layers.forward.bool("return_sequences", default: false) {
      let reversed = results[1] + "/reversed"
      add(made(KerasBidirectional.reversal, reversed, [results[1]], beside: call))
      results[1] = reversed
    }
    guard let merge else {
      add(made(Identity(), call.name, [results[0]], beside: call))
      let second = KerasArchitecture.Node.output(1, of: call.name)
      add(made(Identity(), second, [results[1]], beside: call))
      return
    }
    add(made(merge, call.name, results, beside: call))
  }

  private mutating func spellCells(
    _ call: KerasArchitecture.Node, _ mask: String?
  ) throws(NetconvError) {
    let states = Array(call.inputs.dropFirst())
    let total = try KerasRecurrentCell.stateCount(of: call.layer)
    guard states.isEmpty || states.count == total else {
      throw .wrongStates(states.count, expected: total)
    }
    try addCells(call, mask, states, outputsFrom: 1, of: call)
  }

  /// Adds the cells of a layer as consecutive layers; a plain recurrent layer is a single cell.
  ///
  /// - Parameters:
  ///   - node: The layer, named after its first output.
  ///   - first: The index of its first state among the outputs of `call`.
  ///   - call: The call whose outputs include the states.
  private mutating func addCells(
    _ node: KerasArchitecture.Node, _ mask: String?, _ states: [String], outputsFrom first: Int,
    of call: KerasArchitecture.Node
  ) throws(NetconvError) {
    guard node.layer.className == KerasRecurrentCell.className else {
      if mask != nil { try node.layer.requireMaskable() }
      return try addRecurrent(
        node, mask, states, outputsFrom: first, of: call, statedBy: node.layer)
    }
    let cells = try KerasRecurrentCell.layers(of: node.layer)
    guard let fed = node.inputs.first else { throw .callWithoutInputs }
    var (input, mask, offset) = (fed, mask, 0)
    for (index, cell) in cells.enumerated() {
      if mask != nil { try cell.layer.requireMaskable() }
      var inner = node
      let isLast = index == cells.count - 1
      inner.layer = cell.layer
      inner.parts.append(cell.part)
      inner.name = isLast ? node.name : "\(node.name)/\(cell.part.name)"
      inner.inputs = [input]
      let count = KerasRecurrent.stateCount(of: cell.layer.className) ?? 1
      let own = states.isEmpty ? [] : Array(states[offset..<offset + count])
      try addRecurrent(
        inner, mask, own, outputsFrom: first + offset, of: call, statedBy: node.layer)
      if index == 0, let forward = mask, try cell.layer.bool("go_backwards", default: false) {
        // The second cell processes the steps in the direction of the first.
        mask = inner.name + "/mask"
        add(made(KerasBidirectional.reversal, inner.name + "/mask", [forward], beside: node))
      }
      (input, offset) = (inner.name, offset + count)
    }
  }

  /// Returns a node without weights that corresponds to no Keras layer.
  func made(
    _ operation: any Operator, _ name: String, _ inputs: [String],
    beside call: KerasArchitecture.Node
  ) -> KerasArchitecture.Node {
    var node = call
    (node.name, node.inputs, node.operation) = (name, inputs, operation)
    (node.masks, node.recurrence, node.furtherOutputs) = ([], KerasRecurrentCall(), [])
    (node.attention, node.attentionSettings, node.constant) = (nil, nil, nil)
    return node
  }
}

extension NetconvError {
  fileprivate static func wrongStates(_ count: Int, expected: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the call has \(count) inputs besides the sequence, expected none, or \(expected) \(expected == 1 ? "state" : "states") to begin with"
    )
  }

  fileprivate static let statefulSteps = NetconvError(
    .badData, "a stateful layer in TimeDistributed is not read")

  fileprivate static let distributedAttention = NetconvError(
    .badData, "attention in TimeDistributed is not read")

  static var callWithoutInputs: NetconvError {
    NetconvError(.badData, "is called with no input")
  }
}
