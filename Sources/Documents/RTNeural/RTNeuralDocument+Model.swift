import ModelIR
import Operators

extension RTNeuralDocument {
  /// Creates the document of a model, which must be a chain of sequence layers that RTNeural supports.
  ///
  /// - Throws: `badData` with the unsupported layer, and a way to proceed.
  public init(_ model: Model) throws(NetconvError) {
    let model = model.separated
    guard model.inputs.count == 1, model.outputs.count == 1 else {
      throw .severalEnds(inputs: model.inputs.count, outputs: model.outputs.count)
    }
    let input = model.inputs[0]
    guard (1...2).contains(input.shape.rank) else { throw .noSequence(input.name, input.shape) }
    guard (input.preprocessing ?? []).isEmpty else { throw .preprocessedInput(input.name) }
    for layer in model.layers {
      guard let recurrent = layer.operation as? any RecurrentOperator,
        recurrent.recurrence.takesState
      else { continue }
      throw .recurrenceInRTNeural("begins with states of its own").inLayer(layer.name)
    }
    inputShape = [nil] + input.shape.dimensions
    var layers: [RTNeuralLayer] = []
    var last = input.name
    for layer in model.layers {
      do throws(NetconvError) {
        guard layer.inputs == [last] else { throw .noChain(layer.inputs, expected: last) }
        if let described = try RTNeuralLayer(layer) { layers.append(described) }
      } catch {
        throw error.inLayer(layer.name)
      }
      last = layer.name
    }
    guard model.outputs == [last] else { throw .noChain(model.outputs, expected: last) }
    guard !layers.isEmpty else { throw .nothingForRTNeural }
    self.layers = layers
  }
}

extension RTNeuralLayer {
  /// Creates RTNeural's equivalent of a layer; `nil` if the layer can be omitted.
  ///
  /// - Throws: `badData` if there is none.
  fileprivate init?(_ layer: Layer) throws(NetconvError) {
    switch layer.operation {
    case is Identity: return nil
    case let dense as Dense:
      try self.init(dense: layer, dense.activation, as: .dense)
    case let distributed as TimeDistributed:
      guard let dense = distributed.operation as? Dense else {
        throw .notInRTNeural(Swift.type(of: distributed.operation).name)
      }
      try self.init(dense: layer, dense.activation, as: .timeDistributedDense)
    case let convolution as Convolution1D: try self.init(layer, convolution)
    case let lstm as LSTM:
      try lstm.requireForm(lstm.activation, lstm.recurrentActivation)
      guard layer.parameter(.recurrentBias) == nil else { throw .twoBiasesInRTNeural }
      self.init(
        layer, .lstm, "tanh",
        weights: try Self.kernels(of: layer) + [layer.weight(.bias, [4 * lstm.units])])
    case let gru as GRU:
      try gru.requireForm(gru.activation, gru.recurrentActivation)
      guard gru.resetsAfter else { throw .resetsBefore }
      let count = 3 * gru.units
      let biases = [ParameterRole.bias, .recurrentBias].map { layer.parameter($0)?.key }
      self.init(
        layer, .gru, "tanh",
        weights: try Self.kernels(of: layer) + [Weight(shape: [2, count], parts: biases)])
    case let rectifier as PReLU: try self.init(layer, rectifier)
    case let normalization as BatchNormalization: try self.init(layer, normalization)
    case let activation as Activation:
      let name = try Self.name(of: activation.function, layer)
      guard !name.isEmpty else { return nil }
      self.init(layer, .activation, name)
    default: throw .notInRTNeural(Swift.type(of: layer.operation).name)
    }
  }

  private init(
    _ layer: Layer, _ type: RTNeuralLayerType, _ activation: String, settings: [Setting] = [],
    epsilon: Double? = nil, weights: [Weight] = []
  ) {
    self.init(
      type: type, activation: activation, shape: [nil] + layer.outputShape.dimensions,
      settings: settings, epsilon: epsilon, weights: weights)
  }

  private init(
    dense layer: Layer, _ activation: ActivationFunction, as type: RTNeuralLayerType
  ) throws(NetconvError) {
    var weights = [try layer.requiredWeight(.kernel)]
    if let bias = layer.parameter(.bias) { weights.append(layer.weight(.bias, bias.shape)) }
    self.init(layer, type, try Self.name(of: activation, layer), weights: weights)
  }

  private init(_ layer: Layer, _ convolution: Convolution1D) throws(NetconvError) {
    let size = convolution.kernelSize.length
    guard convolution.strides == .one else { throw .stridesInRTNeural(convolution.strides.length) }
    guard convolution.padding == .causal || size == 1 else {
      throw .paddingInRTNeural("\(convolution.padding)")
    }
    self.init(
      layer, .conv1d, try Self.name(of: convolution.activation, layer),
      settings: [
        Setting(key: "kernel_size", value: size, isList: true),
        Setting(key: "dilation", value: convolution.dilation.length, isList: true),
        Setting(key: "groups", value: convolution.groups, isList: false),
      ],
      // The loader reads a bias for every convolution.
      weights: [
        try layer.requiredWeight(.kernel), layer.weight(.bias, [convolution.outputChannels]),
      ])
  }

  /// The loader reads the first row of the slopes, one per channel, or one for all.
  private init(_ layer: Layer, _ rectifier: PReLU) throws(NetconvError) {
    guard let alpha = layer.parameter(.alpha) else { throw .missingForRTNeural(.alpha) }
    guard alpha.shape.dropLast().allSatisfy({ $0 == 1 }), let count = alpha.shape.last else {
      throw .slopesPerStep(alpha.shape)
    }
    self.init(layer, .prelu, "", weights: [Weight(shape: [1, count], parts: [alpha.key])])
  }

  /// Either both gamma and beta are present, or neither.
  private init(_ layer: Layer, _ normalization: BatchNormalization) throws(NetconvError) {
    guard [-1, layer.outputShape.rank - 1].contains(normalization.axis) else {
      throw .normalizedAxis(normalization.axis)
    }
    let affine: [ParameterRole] = [.gamma, .beta]
    let given = affine.filter { layer.parameter($0) != nil }
    guard given.count != 1 else { throw .halfAffine(given[0]) }
    var weights: [Weight] = []
    for role in given + [.mean, .variance] { weights.append(try layer.requiredWeight(role)) }
    self.init(layer, .batchnorm, "", epsilon: normalization.epsilon, weights: weights)
  }

  private static func kernels(of layer: Layer) throws(NetconvError) -> [Weight] {
    [try layer.requiredWeight(.kernel), try layer.requiredWeight(.recurrent)]
  }

  /// Returns RTNeural's name for an activation; empty for none.
  private static func name(
    of function: ActivationFunction, _ layer: Layer
  ) throws(NetconvError) -> String {
    switch function {
    case .linear: return ""
    case .tanh: return "tanh"
    case .sigmoid: return "sigmoid"
    case .relu(maxValue: nil, negativeSlope: 0, threshold: 0): return "relu"
    case .elu(alpha: 1): return "elu"
    case .softmax(let axis):
      let rank = layer.outputShape.rank
      if try axis.indices(rank: rank) == [rank - 1] { return "softmax" }
    default: break
    }
    throw .activationInRTNeural(function)
  }
}

extension RecurrentOperator {
  /// Checks that the layer computes what RTNeural's layer does at every step.
  fileprivate func requireForm(
    _ activation: ActivationFunction, _ recurrent: ActivationFunction
  ) throws(NetconvError) {
    guard activation == .tanh else { throw .recurrentActivation(activation, expected: .tanh) }
    guard recurrent == .sigmoid else { throw .recurrentActivation(recurrent, expected: .sigmoid) }
    if recurrence.takesMask { throw .recurrenceInRTNeural("has a mask") }
    if recurrence.goesBackwards { throw .recurrenceInRTNeural("goes backwards") }
    guard recurrence.returns == .sequence else { throw .lastStepOnly }
  }
}

extension Layer {
  /// Returns the values of a parameter, or zeros if the layer does not have it.
  fileprivate func weight(_ role: ParameterRole, _ shape: [Int]) -> RTNeuralLayer.Weight {
    RTNeuralLayer.Weight(shape: shape, parts: [parameter(role)?.key])
  }

  fileprivate func requiredWeight(
    _ role: ParameterRole
  ) throws(NetconvError) -> RTNeuralLayer.Weight {
    guard let tensor = parameter(role) else { throw .missingForRTNeural(role) }
    return weight(role, tensor.shape)
  }
}

extension NetconvError {
  fileprivate static func severalEnds(inputs: Int, outputs: Int) -> NetconvError {
    NetconvError(
      .badData,
      "RTNeural supports networks of one input and one output; this one has \(inputs) and \(outputs)"
    )
  }

  fileprivate static func noSequence(_ name: String, _ shape: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "the input \(quoted(name)) is \(shape); netconv writes RTNeural's JSON of networks over (length, channels) or "
        + "(channels); choose another target")
  }

  fileprivate static func preprocessedInput(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the input \(quoted(name)) has preprocessing, which RTNeural's JSON cannot store; remove it, and do it in "
        + "the program")
  }

  fileprivate static func noChain(_ inputs: [String], expected: String) -> NetconvError {
    let found =
      inputs.isEmpty ? "nothing" : inputs.map { quoted($0) }.joined(separator: " and ")
    return NetconvError(
      .badData,
      "reads \(found), expected \(quoted(expected)) alone: RTNeural's "
        + "JSON holds a chain; branches have to be merged in the program")
  }

  fileprivate static let nothingForRTNeural = NetconvError(
    .badData, "the network has no layer for RTNeural")

  fileprivate static func notInRTNeural(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(name) is not in RTNeural's JSON; Dense, Conv1D, LSTM, GRU, PReLU, BatchNormalization and activations are"
    )
  }

  fileprivate static let twoBiasesInRTNeural = NetconvError(
    .badData,
    "has a bias after each of its two kernels; RTNeural's LSTM has one: add them, and leave out recurrent_bias"
  )

  fileprivate static func stridesInRTNeural(_ stride: Int) -> NetconvError {
    NetconvError(
      .badData,
      "has strides of \(stride); RTNeural's JSON has none, and computes every step; use strides=1")
  }

  fileprivate static func paddingInRTNeural(_ padding: String) -> NetconvError {
    NetconvError(
      .badData,
      "has the padding \(padding); RTNeural computes a convolution sample by sample, which is causal: train with "
        + "padding=\"causal\"")
  }

  fileprivate static func recurrenceInRTNeural(_ what: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(what); a layer of RTNeural starts from zeros and reads every step in order")
  }

  fileprivate static let lastStepOnly = NetconvError(
    .badData,
    "returns only the last step; RTNeural returns every step: use return_sequences=True, and take the last one in the "
      + "program")

  fileprivate static let resetsBefore = NetconvError(
    .badData,
    "is a GRU with reset_after=False; RTNeural computes the other variant: train with reset_after=True"
  )

  fileprivate static func missingForRTNeural(_ role: ParameterRole) -> NetconvError {
    NetconvError(.badData, "has no \(role), which RTNeural's JSON needs")
  }

  fileprivate static func slopesPerStep(_ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "has slopes of \(shape), one for each step; RTNeural has one for each channel: use shared_axes=[1]"
    )
  }

  fileprivate static func normalizedAxis(_ axis: Int) -> NetconvError {
    NetconvError(.badData, "normalises axis \(axis); RTNeural normalises channels, the last axis")
  }

  fileprivate static func halfAffine(_ given: ParameterRole) -> NetconvError {
    NetconvError(
      .badData,
      "has \(given) alone; RTNeural has either both gamma and beta or neither")
  }
}
