import ModelIR
import Operators
import Transforms

/// Builds a model from the drafts that its outputs need.
///
/// Biases and activations are fused into the layer before them, and identities are removed.
struct GraphAssembly {
  /// A layer of the model.
  private struct ChosenLayer {
    /// The draft whose value the layer returns.
    var draft: Int
    /// The node that the layer is named after.
    let node: String
    let operationName: String
    var layer: GraphDraft.Layer

    /// The names of the variables that the layer uses unchanged.
    var variables: [String] { layer.parameters.values.compactMap(\.constant.name) }
  }

  private let drafts: [GraphDraft]
  private let inputs: [ModelInput]
  private var steps: [Int: ChosenLayer] = [:]
  /// For each draft, the step that returns its value.
  private var aliases: [Int: Int] = [:]
  private var userCounts: [Int: Int] = [:]
  private let outputs: [Int]
  private let variableNaming: VariableNaming

  /// Chooses the variable after which a layer is named, given its variables and its node; `nil` for the node's own name.
  typealias VariableNaming = (_ variables: [String], _ node: String) throws(NetconvError) -> String?

  /// Chooses a layer for every draft that `outputs` need.
  ///
  /// - Throws: `badData` with every draft that no layer computes.
  init(
    _ builder: GraphBuilder, outputs: [GraphValue], naming: @escaping VariableNaming
  ) throws(NetconvError) {
    variableNaming = naming
    drafts = builder.drafts
    inputs = builder.inputs
    self.outputs = outputs.map(\.draft)
    var needed = Set(self.outputs)
    var problems: [NetconvError] = []
    var recognition = ExpressionRecognition(drafts: drafts)
    for draft in drafts.indices.reversed() where needed.contains(draft) {
      do throws(NetconvError) {
        guard let layer = try layer(of: draft, &recognition) else { continue }
        steps[draft] = ChosenLayer(
          draft: draft, node: drafts[draft].node, operationName: drafts[draft].operation,
          layer: layer)
        needed.formUnion(layer.inputs)
        for input in layer.inputs { userCounts[input, default: 0] += 1 }
      } catch {
        problems.append(error)
      }
    }
    for output in self.outputs { userCounts[output, default: 0] += 1 }
    guard problems.isEmpty else { throw .unreadNodes(problems.reversed()) }
    for draft in steps.keys.sorted() { fuse(draft) }
  }

  private func layer(
    of draft: Int, _ recognition: inout ExpressionRecognition
  ) throws(NetconvError) -> GraphDraft.Layer? {
    if let found = recognition.activation(at: draft) {
      let operation = found.operation
      return GraphDraft.Layer(
        operation: operation, inputs: [found.draft],
        parameters: found.slopes.map {
          [.alpha: GraphDraft.Parameter(constant: $0.keeping(drafts[draft].shape.rank))]
        } ?? [:],
        axes: found.slopes == nil ? axes(of: draft, operation) : .counted(moved: nil))
    }
    if let normalization = try UnitNormalizationSearch(drafts: drafts).layer(of: draft) {
      return normalization
    }
    if let normalization = try MomentNormalizationSearch(drafts: drafts).layer(of: draft) {
      return normalization
    }
    if let attention = AttentionSearch(drafts: drafts).layer(of: draft) { return attention }
    switch drafts[draft].content {
    case .input: return nil
    case .layer(let layer): return layer
    case .nothing(let problem): throw problem
    }
  }

  /// The axes of an activation: those of the draft, if the draft is an activation itself.
  private func axes(of draft: Int, _ operation: any Operator) -> GraphDraft.Axes {
    if case .layer(let layer) = drafts[draft].content, layer.operation.onlyActivation != nil {
      return layer.axes
    }
    return .counted(moved: { _ in operation })
  }

  // MARK: - Fusing

  /// Fuses a bias or an activation into the preceding layer, if nothing else reads that layer's output.
  private mutating func fuse(_ draft: Int) {
    guard let step = steps[draft], step.layer.inputs.count == 1 else { return }
    let input = step.layer.inputs[0]
    let before = aliases[input] ?? input
    guard userCounts[input] == 1, var target = steps[before],
      var operation = target.layer.operation as? any SummingOperator, operation.activation.isLinear
    else { return }
    if let bias = step.layer.bias {
      guard target.layer.parameters[.bias] == nil, step.layer.axes.isSame(as: target.layer.axes)
      else { return }
      target.layer.parameters[.bias] = GraphDraft.Parameter(constant: bias, layout: nil)
    } else if let activation = step.layer.operation.onlyActivation {
      guard activation.axis == nil || !target.layer.axes.isChannelsFirst else { return }
      operation.activation = activation
      target.layer.operation = operation
    } else {
      return
    }
    steps[draft] = nil
    steps[before] = target
    aliases[draft] = before
  }

  // MARK: - The model

  /// The names of the variables that layers use.
  var variables: Set<String> { Set(steps.values.flatMap(\.variables)) }

  /// Builds the model from the layers.
  ///
  /// - Throws: `badData` if they are inconsistent.
  func model(called name: String) throws(NetconvError) -> Model {
    let order = steps.keys.sorted()
    let known = try order.compactMap { steps[$0] }.map { step throws(NetconvError) in
      GraphNames.Layer(
        node: step.node, operation: step.operationName,
        variable: try variableNaming(step.variables, step.node))
    }
    var names = GraphNames(known, besides: inputs.map(\.name))
    var byDraft: [Int: String] = [:]
    for draft in drafts.indices {
      if case .input(let name) = drafts[draft].content { byDraft[draft] = name }
    }
    for (index, draft) in order.enumerated() { byDraft[draft] = names.names[index] }
    for (draft, target) in aliases { byDraft[draft] = byDraft[target] }
    var owners: [[String]: String] = [:]
    var layers: [OrderedLayer] = []
    for draft in order {
      guard let step = steps[draft], let name = byDraft[draft] else { continue }
      layers.append(try definition(step, name, byDraft, &owners))
    }
    let transposed = transposedMatrices(byDraft)
    var outputNames: [String] = []
    for output in outputs {
      let name = byDraft[output] ?? ""
      guard steps[aliases[output] ?? output] == nil || outputNames.contains(name) else {
        outputNames.append(name)
        continue
      }
      // An input that is also an output, or an output that is used twice.
      let copy = names.unique(name + "/output")
      let identity = Identity()
      layers.append(
        OrderedLayer(
          LayerDefinition(name: copy, operation: identity, inputs: [name]),
          .counted(moved: { _ in identity })))
      outputNames.append(copy)
    }
    return try model(called: name, layers, outputNames, transposed)
  }

  /// The matrices that are stored transposed, by layer name.
  private func transposedMatrices(_ names: [Int: String]) -> [String: [ParameterRole]] {
    var transposed: [String: [ParameterRole]] = [:]
    for (draft, step) in steps {
      let roles = step.layer.parameters.filter {
        $0.value.layout == .io && $0.value.constant.isTurned
      }
      if let name = names[draft], !roles.isEmpty { transposed[name] = Array(roles.keys) }
    }
    return transposed
  }

  private func definition(
    _ step: ChosenLayer, _ name: String, _ names: [Int: String], _ owners: inout [[String]: String]
  ) throws(NetconvError) -> OrderedLayer {
    var parameters: [ParameterRole: StoredTensor] = [:]
    var sources: [String] = []
    for (role, parameter) in step.layer.parameters.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    {
      do throws(NetconvError) {
        // The effect of a flatten on a matrix is known only when the model is complete.
        let isMatrix = parameter.layout == .io
        parameters[role] =
          isMatrix && parameter.constant.isTurned
          ? parameter.constant.storedTurned
          : try parameter.constant.stored(as: isMatrix ? nil : parameter.layout)
      } catch {
        throw error.inTensor(role.rawValue).inLayer(name)
      }
      sources.append(
        parameter.constant.name.map { source in
          "\(role)=\(source) \(parameter.constant.shape) \(parameter.constant.axes ?? [])"
        } ?? "\(role) of \(name)")
    }
    if !sources.isEmpty { sources.append(type(of: step.layer.operation).name) }
    var owner: String?
    if !sources.isEmpty {
      owner = owners[sources] ?? name
      owners[sources] = owner
    }
    let operation = step.layer.operation
    let definition = LayerDefinition(
      name: name, operation: operation, inputs: step.layer.inputs.map { names[$0] ?? "" },
      parameters: parameters, parameterOwner: owner == name ? nil : owner,
      origin: LayerOrigin(className: step.operationName))
    switch step.layer.axes {
    case .channelsFirst: return OrderedLayer(definition, .channelsFirst)
    case .counted(let moved): return OrderedLayer(definition, .counted(moved: { moved?($0) }))
    }
  }

  private func model(
    called name: String, _ layers: [OrderedLayer], _ outputs: [String],
    _ transposed: [String: [ParameterRole]]
  ) throws(NetconvError) -> Model {
    var definitions = layers.map(\.definition)
    if layers.contains(where: { if case .channelsFirst = $0.axes { true } else { false } }) {
      let reordered = try ChannelsLast(inputs: inputs, layers: layers, outputs: outputs)
      definitions = reordered.layers.map { layer in
        var definition = layer.definition
        for (role, layout) in layer.layouts { definition.parameters[role]?.layout = layout }
        return definition
      }
    }
    let model = try Model(name: name, inputs: inputs, layers: definitions, outputs: outputs)
    guard !transposed.isEmpty else { return model }
    for index in definitions.indices {
      let definition = definitions[index]
      guard let roles = transposed[definition.name] else { continue }
      for role in roles {
        guard let spec = model.layer(named: definition.name)?.parameter(role)?.spec else {
          continue
        }
        let layout = definition.parameters[role]?.layout ?? spec.layout
        definitions[index].parameters[role]?.layout = try Layout(layout.dimensions.reversed())
      }
    }
    return try Model(name: name, inputs: inputs, layers: definitions, outputs: outputs)
  }
}

extension GraphDraft.Axes {
  /// True if the graph is channels first.
  var isChannelsFirst: Bool {
    if case .channelsFirst = self { true } else { false }
  }

  /// True if both have the channels on the same axis.
  func isSame(as other: GraphDraft.Axes) -> Bool { isChannelsFirst == other.isChannelsFirst }
}

extension GraphConstant {
  /// The vector reshaped to `rank` axes: channels last, all others of size 1.
  fileprivate func keeping(_ rank: Int) -> GraphConstant {
    (try? reshaped([Int](repeating: 1, count: max(0, rank - 1)) + [count])) ?? self
  }
}
