import Documents
import ModelIR
import Operators

// Attention, dense layers over several axes, and arrays, as the layers that compute them.

extension KerasSequences {
  /// Adds attention with its projections: `mha/query`, `mha/key`, `mha/value`, `mha/attention` and `mha` itself.
  mutating func spellHeads(_ call: KerasArchitecture.Node) throws(NetconvError) {
    guard let arguments = call.attention, let query = arguments.tensors["query"],
      let value = arguments.tensors["value"]
    else { throw .callWithoutInputs }
    try call.layer.requireNoDropout(isTraining: call.isTraining)
    let projections = try KerasMultiHeadAttention.projections(
      of: call.layer, queryWidth: arguments.queryWidth)
    let key = arguments.tensors["key"] ?? value
    let inputs = [
      project(query, projections.query, of: call), project(key, projections.key, of: call),
      project(value, projections.value, of: call),
    ]
    var masks = try self.masks(of: call, arguments)
    try addGiven(to: &masks, of: call, arguments)
    let name = "\(call.name)/attention"
    let weights = KerasArchitecture.Node.output(1, of: call.name)
    let core = KerasAttention.called(
      try KerasMultiHeadAttention.operation(of: call.layer),
      KerasAttentionSettings(
        isCausal: arguments.usesCausalMask, masks: masks.map(\.kind),
        zerosEmpty: try call.layer.zerosEmptyRows(givesWeights: uses.contains(weights)),
        result: uses.contains(weights) ? .both : .means))
    var node = made(core, name, inputs + masks.map(\.name), beside: call)
    if uses.contains(weights) { node.furtherOutputs = [weights] }
    add(node)
    var result = name
    if let gate = projections.gate {
      result = "\(call.name)/gated"
      let factor = project(query, gate, of: call)
      add(made(Multiply(), result, [name, factor], beside: call))
    }
    let sizes = projections.output.sizes
    guard sizes.count > 1 else {
      _ = project(result, projections.output, of: call, named: call.name)
      return
    }
    let flat = project(result, projections.output, of: call)
    add(made(Reshape(shape: [-1] + sizes), call.name, [flat], beside: call))
  }

  /// Adds a projection, and returns the name of its output.
  private mutating func project(
    _ input: String, _ projection: KerasProjection, of call: KerasArchitecture.Node,
    named name: String? = nil
  ) -> String {
    var node = call
    node.layer = projection.layer
    node.parts.append(projection.part)
    node.name = name ?? "\(call.name)/\(projection.part.name)"
    (node.inputs, node.attention, node.masks) = ([input], nil, [])
    add(node)
    return node.name
  }

  /// Adds attention without projections.
  mutating func spellAttention(_ call: KerasArchitecture.Node) throws(NetconvError) {
    guard let arguments = call.attention, let query = arguments.tensors["query"],
      let value = arguments.tensors["value"]
    else { throw .callWithoutInputs }
    try call.layer.requireNoDropout(isTraining: call.isTraining)
    let masks = try self.masks(of: call, arguments)
    let weights = KerasArchitecture.Node.output(1, of: call.name)
    let wasCausal = try call.layer.bool("causal", default: false)
    var node = call
    node.inputs = [query, arguments.tensors["key"] ?? value, value] + masks.map(\.name)
    node.attentionSettings = KerasAttentionSettings(
      isCausal: arguments.usesCausalMask || wasCausal, masks: masks.map(\.kind),
      result: uses.contains(weights) ? .both : .means)
    if uses.contains(weights) { node.furtherOutputs = [weights] }
    (node.attention, node.masks) = (nil, [])
    add(node)
  }

  /// Returns the masks of the inputs of attention.
  ///
  /// The query's mask sets rows of the result to zero in attention without projections, and has its rows attend to
  /// nothing in attention with projections.
  private mutating func masks(
    of call: KerasArchitecture.Node, _ arguments: KerasAttentionCall<String>
  ) throws(NetconvError) -> [(kind: AttentionMask, name: String)] {
    let hasHeads = KerasMultiHeadAttention.classNames.contains(call.layer.className)
    let kinds: [(argument: String, kind: AttentionMask)] =
      hasHeads
      ? [("query", .queries), ("value", .keys), ("key", .keys)]
      : [("query", .results), ("value", .keys)]
    var found: [(kind: AttentionMask, name: String)] = []
    for (argument, kind) in kinds {
      guard let input = arguments.tensors[argument] else { continue }
      let stated = arguments.tensors["\(argument)_mask"]
      if arguments.statesMasks, stated == nil { continue }
      guard let mask = try masks.mask(of: input, stated: stated, at: call) else { continue }
      if !found.contains(where: { $0.kind == kind && $0.name == mask }) {
        found.append((kind, mask))
      }
    }
    return found
  }

  /// Adds the mask that a call is given as a tensor or as an array.
  private mutating func addGiven(
    to masks: inout [(kind: AttentionMask, name: String)], of call: KerasArchitecture.Node,
    _ arguments: KerasAttentionCall<String>
  ) throws(NetconvError) {
    let argument = "attention_mask"
    if let mask = arguments.tensors[argument] { masks.append((.pairs, mask)) }
    guard let array = arguments.arrays[argument] else { return }
    masks.append((.pairs, addConstant(try KerasConstant(array), "mask", beside: call)))
  }

  /// Adds a layer without inputs, and returns its name.
  private mutating func addConstant(
    _ constant: KerasConstant, _ name: String, beside call: KerasArchitecture.Node
  ) -> String {
    var node = made(
      Constant(shape: constant.shape), "\(call.name)/\(name)", [], beside: call)
    node.constant = constant
    add(node)
    return node.name
  }
}

// MARK: - Dense layers and arrays

extension KerasSequences {
  /// Adds a dense layer, with the axes merged in front that it sums over, and those split behind that it makes.
  mutating func spellEinsum(_ call: KerasArchitecture.Node) throws(NetconvError) {
    let equation = try call.layer.denseEquation()
    var dense = call
    if equation.bound > 1, let kept = equation.kept {
      let name = "\(call.name)/flattened"
      let flatten = KerasTimeDistributed.distributed(Flatten(), count: kept)
      add(made(flatten, name, call.inputs, beside: call))
      dense.inputs = [name]
    }
    guard equation.made.count > 1, let kept = equation.kept else { return add(dense) }
    guard kept <= 1 else { throw .severalKeptAxes(kept) }
    dense.name = "\(call.name)/dense"
    add(dense)
    let shape = [Int](repeating: -1, count: kept) + equation.made
    add(made(Reshape(shape: shape), call.name, [dense.name], beside: call))
  }

  /// Adds a table that is read backwards: a dense layer, and a bound of its output.
  mutating func spellReversed(_ call: KerasArchitecture.Node) throws(NetconvError) {
    _ = try call.layer.optionalSetting("reverse_dtype", expected: "null") { _ -> Bool? in nil }
    let cap = try call.layer.optionalDouble("logit_soft_cap")
    var dense = call
    dense.layer = call.layer.replacing(KerasReversibleEmbedding.reversal, with: .bool(true))
    dense.parts.append(KerasPart(name: KerasReversibleEmbedding.reversal, group: "", match: nil))
    guard let cap else { return add(dense) }
    dense.name = "\(call.name)/logits"
    add(dense)
    let (small, bound) = ("\(call.name)/divided", "\(call.name)/bound")
    add(made(Rescaling(scale: [1 / cap]), small, [dense.name], beside: call))
    add(made(Activation(.tanh), bound, [small], beside: call))
    add(made(Rescaling(scale: [cap]), call.name, [bound], beside: call))
  }

  /// Adds a function of a value and an array, which is a layer of its own.
  mutating func spellArrays(
    _ call: KerasArchitecture.Node,
    _ function: (operation: any Operator, operands: [KerasConstant?])
  ) throws(NetconvError) {
    guard let value = call.inputs.first else { throw .callWithoutInputs }
    let inputs = function.operands.map { operand in
      operand.map { addConstant($0, "constant", beside: call) } ?? value
    }
    add(made(function.operation, call.name, inputs, beside: call))
  }
}

extension KerasLayerConfig {
  /// Returns true if a query that attends to nothing has weights of 0.
  ///
  /// Keras then computes the softmax in a layer of its own, which does so since 3.10; otherwise in one function.
  fileprivate func zerosEmptyRows(givesWeights: Bool) throws(NetconvError) -> Bool {
    guard kerasVersion >= 3, kerasMinor ?? .max >= 10 else { return false }
    let dropout = try double("dropout", default: 0)
    return givesWeights || dropout > 0
  }

  /// Checks that attention drops nothing.
  ///
  /// - Throws: `badData` if it is called for training, and drops weights.
  fileprivate func requireNoDropout(isTraining: Bool) throws(NetconvError) {
    guard isTraining, try double("dropout", default: 0) > 0 else { return }
    throw .droppedWeights
  }
}

extension NetconvError {
  fileprivate static var droppedWeights: NetconvError {
    NetconvError(
      .badData, "called with training=True, and drops weights at random each time; set dropout to 0"
    )
  }

  fileprivate static func severalKeptAxes(_ count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the equation keeps \(count) axes besides the batch and makes several; at most one may be kept then"
    )
  }
}
