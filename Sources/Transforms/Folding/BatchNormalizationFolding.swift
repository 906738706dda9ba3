import ModelIR
import Operators

extension Model {
  /// Folds each `BatchNormalization` and `Scale` into the kernel before it, where the graph allows it.
  ///
  /// A layer y = s · (x - m) + t after a sum x = b + Σ k · z equals the sum s · (b - m) + t + Σ (s · k) · z. This
  /// requires that x has no other reader, that there is no activation in between, and that no other layer shares the
  /// kernel. Factors are computed in Double; kernels and biases are rounded once to float32. Only the parameters of the
  /// folded layers and biases are read immediately; kernels are multiplied while they are read.
  ///
  /// Readers of a folded layer read the layer before it, which keeps its name; so does an output of the model.
  ///
  /// - Throws: any error in reading the parameters.
  public func foldingBatchNormalization() throws(NetconvError) -> Folding {
    var folding = FoldingPass(self)
    for layer in layers { try folding.visit(layer) }
    return try folding.result()
  }
}

/// A pass over the layers of a model in topological order.
private struct FoldingPass {
  private let model: Model
  /// The layers that use the parameters of an owner.
  private var users: [String: [String]] = [:]
  /// The layers that replace the removed ones.
  private var targets: [String: String] = [:]
  /// The affine functions folded into a kernel, in order.
  private var scales: [String: [ChannelScale]] = [:]
  /// The layers that get a bias because a folded layer adds an offset.
  private var createdBiases: Set<String> = []
  private var folded: [Folding.Folded] = []
  private var kept: [Folding.Kept] = []

  init(_ model: Model) {
    self.model = model
    for layer in model.layers {
      if let owner = layer.parameterOwner { users[owner, default: []].append(layer.name) }
    }
  }

  mutating func visit(_ layer: Layer) throws(NetconvError) {
    guard let operation = layer.operation as? any ChannelScalingOperator else { return }
    let name = type(of: operation).name
    let scale = operation.channelScale(try layer.vectors())
    switch place(for: layer, operation, scale) {
    case .found(let target, let role):
      targets[layer.name] = layer.inputs[0]
      scales[target.name, default: []].append(scale)
      let hadBias = target.parameter(.bias) != nil || createdBiases.contains(target.name)
      let createsBias = !hadBias && scale.shifts
      if createsBias { createdBiases.insert(target.name) }
      folded.append(
        Folding.Folded(
          layer: layer.name, operation: name, into: target.name,
          roles: [role] + (hadBias || createsBias ? [.bias] : []), createsBias: createsBias,
          parameters: layer.parameters.map(\.stored.path)))
    case .none(let obstacle):
      kept.append(
        Folding.Kept(
          layer: layer.name, operation: name,
          reason: obstacle.text + (obstacle.isBefore ? reasonBehind(layer) : "")))
    }
  }

  // MARK: - Finding a layer to fold into

  private enum Outcome {
    case found(Layer, ParameterRole)
    case none(FoldingObstacle)
  }

  /// Returns the layer whose sums `layer` scales, or the reason why it cannot be folded.
  private func place(
    for layer: Layer, _ operation: any ChannelScalingOperator, _ scale: ChannelScale
  ) -> Outcome {
    guard operation.scalesLastAxis(rank: layer.outputShape.rank) else {
      return .none(.otherAxis(operation.axis))
    }
    guard scale.isFinite else { return .none(.notFinite) }
    var reader = layer.name
    var name = layer.inputs[0]
    while true {
      guard let before = model.producer(of: name)?.layer else { return .none(.modelInput(name)) }
      let passes = targets[name] != nil || before.operation.valueEffect == .none
      guard passes || before.operation is any SummingOperator else {
        return .none(.noKernel(before))
      }
      let others = model.readers(of: name).map(\.name).filter { $0 != reader }
      guard others.isEmpty else { return .none(.severalReaders(name, others)) }
      guard !model.outputs.contains(name) else { return .none(.isOutput(name)) }
      guard passes else { return place(in: before) }
      (reader, name) = (name, before.inputs[0])
    }
  }

  private func place(in layer: Layer) -> Outcome {
    guard let operation = layer.operation as? any SummingOperator else {
      return .none(.noKernel(layer))
    }
    guard operation.activation.isLinear else { return .none(.activation(layer.name)) }
    let others = (layer.parameterOwner.flatMap { users[$0] } ?? []).filter { $0 != layer.name }
    guard others.isEmpty else { return .none(.sharedParameters(layer.name, others)) }
    return .found(layer, type(of: operation).summedKernel)
  }

  private func reasonBehind(_ layer: Layer) -> String {
    for reader in model.readers(of: layer.name) {
      if let reason = FoldingObstacle.behind(reader.name, reader.operation) {
        return reason
      }
    }
    return ""
  }

  // MARK: - The resulting model

  func result() throws(NetconvError) -> Folding {
    guard !folded.isEmpty else { return Folding(model: model, folded: [], kept: kept) }
    var owners: [String: String] = [:]
    var definitions: [LayerDefinition] = []
    for layer in model.layers where targets[layer.name] == nil {
      var definition = LayerDefinition(layer)
      definition.inputs = layer.inputs.map(remaining)
      if let owner = layer.parameterOwner {
        // The owner of shared parameters may have been removed.
        let first = owners[owner] ?? (targets[owner] == nil ? owner : layer.name)
        owners[owner] = first
        definition.parameterOwner = first == layer.name ? nil : first
      }
      if let scales = scales[layer.name] {
        do {
          try definition.fold(
            scales, into: layer, createsBias: createdBiases.contains(layer.name))
        } catch {
          throw error.inLayer(layer.name)
        }
      }
      definitions.append(definition)
    }
    return Folding(
      model: try Model(
        name: model.name, inputs: model.inputs, layers: definitions,
        outputs: model.outputs.map(remaining)),
      folded: folded, kept: kept)
  }

  /// Returns the layer that replaces `name`.
  private func remaining(_ name: String) -> String {
    var name = name
    while let target = targets[name] { name = target }
    return name
  }
}

extension FoldingObstacle {
  /// True if no preceding layer can be folded into, so that the following layer is considered.
  fileprivate var isBefore: Bool {
    switch self {
    case .modelInput, .noKernel, .activation: true
    default: false
    }
  }
}

extension ChannelScale {
  /// True if an offset is added, which a `Scale` never does.
  fileprivate var shifts: Bool { !(mean + shift).allSatisfy { $0 == 0 } }
}

extension Layer {
  /// The layer that owns the parameters; `nil` if there are none.
  fileprivate var parameterOwner: String? { parameters.first?.layer }

  /// Reads the parameters, all of which are vectors, into memory.
  fileprivate func vectors() throws(NetconvError) -> [ParameterRole: NDArray<Float>] {
    var vectors: [ParameterRole: NDArray<Float>] = [:]
    for parameter in parameters { vectors[parameter.spec.role] = try parameter.vector() }
    return vectors
  }
}

extension Tensor {
  /// Returns the values in the order of the operator's definition.
  fileprivate func vector() throws(NetconvError) -> NDArray<Float> {
    let wanted = try rearranged(to: spec.layout)
    return NDArray(shape: wanted.shape, values: try wanted.values())
  }
}

extension LayerDefinition {
  /// Replaces the kernel and bias of `layer` by those that compute the scaled result.
  fileprivate mutating func fold(
    _ scales: [ChannelScale], into layer: Layer, createsBias: Bool
  ) throws(NetconvError) {
    guard let operation = layer.operation as? any SummingOperator,
      let kernel = layer.parameter(type(of: operation).summedKernel)
    else { return }
    let channels = scales[0].scale.count
    let factors = scales.dropFirst().reduce(scales[0].scale) { zip($0, $1.scale).map { $0 * $1 } }
    parameters[kernel.spec.role]?.source = FoldedKernelSource(
      kernel, outputAxes: type(of: operation).outputAxes, factors: factors)
    let old = layer.parameter(.bias)
    guard createsBias || old != nil else { return }
    var bias = try old?.vector().values.map { Double($0) } ?? Array(repeating: 0, count: channels)
    for scale in scales {
      for c in 0..<channels {
        bias[c] = scale.scale[c] * (bias[c] - scale.mean[c]) + scale.shift[c]
      }
    }
    parameters[.bias] = StoredTensor(
      source: ArraySource(bias.map { Float($0) }), layout: .o, shape: nil,
      path: old?.stored.path ?? kernel.stored.path)
  }
}
