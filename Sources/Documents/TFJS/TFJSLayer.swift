import ModelIR
import Operators

/// A layer of TensorFlow.js, as Keras 2 describes it.
struct TFJSLayer {
  /// An array: its own name and its tensor.
  typealias Weight = (name: String, key: TensorKey)

  private let className: String
  private let settings: [String: JSONValue]
  /// Its arrays, in the order in which the class makes them.
  let weights: [Weight]

  init(_ className: String, _ settings: [(String, JSONValue)], weights: [Weight] = []) {
    self.className = className
    self.settings = Dictionary(settings) { first, _ in first }
    self.weights = weights
  }

  /// The layer as `layers` lists it.
  func value(called name: String, reading inputs: [String]) -> JSONValue {
    var config = settings
    config["name"] = .string(name)
    config["dtype"] = .string("float32")
    if className != "InputLayer" { config["trainable"] = .bool(true) }
    let nodes = inputs.map { JSONValue.array([.string($0), .number(0), .number(0), .object([:])]) }
    return .object([
      "class_name": .string(className), "name": .string(name), "config": .object(config),
      "inbound_nodes": .array(nodes.isEmpty ? [] : [.array(nodes)]),
    ])
  }

  /// What TensorFlow.js has for a layer of a model: one, and another for an activation that has a class of its own.
  ///
  /// - Throws: `badData` if it has nothing.
  static func parts(of layer: Layer) throws(NetconvError) -> [TFJSLayer] {
    guard let function = (layer.operation as? any ActivatedOperator)?.activation,
      name(of: function, layer) == nil
    else { return [try TFJSLayer(layer)] }
    return [try TFJSLayer(layer), try TFJSLayer(activation: function, layer)]
  }

  /// What an activation is called as a setting; `nil` if it is none.
  ///
  /// Source: tensorflow/tfjs, tfjs-layers/src/activations.ts.
  private static func name(of function: ActivationFunction, _ layer: Layer) -> String? {
    switch function {
    case .linear: "linear"
    case .relu(maxValue: nil, negativeSlope: 0, threshold: 0): "relu"
    case .relu(maxValue: 6, negativeSlope: 0, threshold: 0): "relu6"
    case .elu(alpha: 1): "elu"
    case .selu: "selu"
    case .sigmoid: "sigmoid"
    case .hardSigmoid(slope: 0.2): "hard_sigmoid"
    case .tanh: "tanh"
    case .softplus: "softplus"
    case .softsign: "softsign"
    case .silu: "swish"
    case .softmax(let axis) where layer.isLast(axis): "softmax"
    case .logSoftmax(let axis) where layer.isLast(axis): "log_softmax"
    default: nil
    }
  }

  /// An activation by itself.
  private init(activation function: ActivationFunction, _ layer: Layer) throws(NetconvError) {
    if let name = Self.name(of: function, layer) {
      self.init("Activation", [("activation", .string(name))])
      return
    }
    switch function {
    case .relu(let largest?, negativeSlope: 0, threshold: 0):
      self.init("ReLU", [("max_value", .number(largest))])
    case .relu(maxValue: nil, let slope, threshold: 0), .leakyReLU(let slope):
      self.init("LeakyReLU", [("alpha", .number(slope))])
    case .elu(let alpha): self.init("ELU", [("alpha", .number(alpha))])
    case .threshold(let threshold, value: 0):
      self.init("ThresholdedReLU", [("theta", .number(threshold))])
    case .softmax(let axis) where axis.axes.count == 1:
      self.init("Softmax", [("axis", layer.withBatch(axis.axes[0]))])
    default: throw .activationOfTFJS(function.text)
    }
  }

  private init(_ layer: Layer) throws(NetconvError) {
    switch layer.operation {
    case let activation as Activation: try self.init(activation: activation.function, layer)
    case is Identity: self.init("Activation", [("activation", .string("linear"))])
    case let dense as Dense: try self.init(dense: dense, layer)
    case let distributed as TimeDistributed:
      guard let dense = distributed.operation as? Dense else {
        throw .notInTFJS("\(type(of: distributed.operation).name) of each step")
      }
      try self.init(dense: dense, layer)
    case let convolution as Convolution2D: try self.init("Conv2D", convolution, layer)
    case let convolution as Convolution1D: try self.init("Conv1D", convolution, layer)
    case let convolution as DepthwiseConvolution2D: try self.init(convolution, layer)
    case let convolution as SeparableConvolution2D: try self.init(convolution, layer)
    case let convolution as TransposedConvolution2D: try self.init(convolution, layer)
    case let normalization as BatchNormalization:
      self.init(
        "BatchNormalization",
        [
          ("axis", layer.withBatch(normalization.axis)),
          ("epsilon", .number(normalization.epsilon)), layer.flag("center", .beta),
          layer.flag("scale", .gamma),
        ],
        weights: layer.weights(
          (.gamma, "gamma"), (.beta, "beta"), (.mean, "moving_mean"),
          (.variance, "moving_variance")))
    case let normalization as LayerNormalization:
      guard normalization.subtractsMean else { throw .notInTFJS("a norm without a mean") }
      self.init(
        "LayerNormalization",
        [
          ("axis", .array(normalization.axis.axes.map(layer.withBatch))),
          ("epsilon", .number(normalization.epsilon)), layer.flag("center", .beta),
          layer.flag("scale", .gamma),
        ], weights: layer.weights((.gamma, "gamma"), (.beta, "beta")))
    case let rectifier as PReLU:
      let rank = layer.outputShape.rank
      self.init(
        "PReLU",
        [
          (
            "shared_axes",
            .array(rectifier.sharedAxes.map { .number(Double(($0 < 0 ? $0 + rank : $0) + 1)) })
          )
        ], weights: layer.weights((.alpha, "alpha")))
    case let lstm as LSTM:
      try self.init(
        "LSTM", lstm, lstm.units, lstm.activation, lstm.recurrentActivation, layer)
    case let gru as GRU:
      guard !gru.resetsAfter else { throw .resetsAfterInTFJS }
      try self.init(
        "GRU", gru, gru.units, gru.activation, gru.recurrentActivation, layer)
    case let simple as SimpleRNN:
      try self.init("SimpleRNN", simple, simple.units, simple.activation, nil, layer)
    case let embedding as Embedding:
      self.init(
        "Embedding",
        [
          ("input_dim", .number(Double(embedding.count))),
          ("output_dim", .number(Double(embedding.outputChannels))),
        ], weights: layer.weights((.kernel, "embeddings")))
    default: try self.init(withoutWeights: layer)
    }
  }

  private init(dense: Dense, _ layer: Layer) throws(NetconvError) {
    self.init(
      "Dense",
      [
        ("units", .number(Double(dense.units))), Self.activation(dense.activation, layer),
        layer.flag("use_bias", .bias),
      ], weights: layer.weights((.kernel, "kernel"), (.bias, "bias")))
  }

  private init<Space>(
    _ className: String, _ convolution: SpatialConvolution<Space>, _ layer: Layer
  ) throws(NetconvError) {
    guard convolution.groups == 1 else { throw .notInTFJS("a convolution of groups") }
    self.init(
      className,
      try Self.settings(
        kernelSize: convolution.kernelSize, convolution.strides, convolution.dilation,
        convolution.padding)
        + [
          ("filters", .number(Double(convolution.outputChannels))),
          Self.activation(convolution.activation, layer), layer.flag("use_bias", .bias),
        ], weights: layer.weights((.kernel, "kernel"), (.bias, "bias")))
  }

  private init(_ convolution: DepthwiseConvolution2D, _ layer: Layer) throws(NetconvError) {
    // `call` of TensorFlow.js passes no dilation on.
    guard convolution.dilation == .one else { throw .notInTFJS("a dilated depthwise convolution") }
    self.init(
      "DepthwiseConv2D",
      try Self.settings(
        kernelSize: convolution.kernelSize, convolution.strides, convolution.dilation,
        convolution.padding)
        + [
          ("depth_multiplier", .number(Double(convolution.depthMultiplier))),
          Self.activation(convolution.activation, layer), layer.flag("use_bias", .bias),
        ],
      weights: layer.weights(
        (.depthwise, "depthwise_kernel"), (.kernel, "depthwise_kernel"), (.bias, "bias")))
  }

  private init(_ convolution: SeparableConvolution2D, _ layer: Layer) throws(NetconvError) {
    self.init(
      "SeparableConv2D",
      try Self.settings(
        kernelSize: convolution.kernelSize, convolution.strides, convolution.dilation,
        convolution.padding)
        + [
          ("filters", .number(Double(convolution.outputChannels))),
          ("depth_multiplier", .number(Double(convolution.depthMultiplier))),
          Self.activation(convolution.activation, layer), layer.flag("use_bias", .bias),
        ],
      weights: layer.weights(
        (.depthwise, "depthwise_kernel"), (.pointwise, "pointwise_kernel"), (.bias, "bias")))
  }

  private init(_ convolution: TransposedConvolution2D, _ layer: Layer) throws(NetconvError) {
    guard convolution.outputPadding == nil else {
      throw .notInTFJS("a transposed convolution with padding of its output")
    }
    guard convolution.dilation == .one else {
      throw .notInTFJS("a dilated transposed convolution")
    }
    self.init(
      "Conv2DTranspose",
      try Self.settings(
        kernelSize: convolution.kernelSize, convolution.strides, convolution.dilation,
        convolution.padding)
        + [
          ("filters", .number(Double(convolution.outputChannels))),
          Self.activation(convolution.activation, layer), layer.flag("use_bias", .bias),
        ], weights: layer.weights((.kernel, "kernel"), (.bias, "bias")))
  }

  private init(
    _ className: String, _ operation: any RecurrentOperator, _ units: Int,
    _ activation: ActivationFunction, _ recurrentActivation: ActivationFunction?, _ layer: Layer
  ) throws(NetconvError) {
    let recurrence = operation.recurrence
    if recurrence.takesMask { throw .notInTFJS("a recurrent layer with a mask") }
    if recurrence.takesState { throw .notInTFJS("a recurrent layer that is given states") }
    if recurrence.goesBackwards { throw .notInTFJS("a recurrent layer that goes backwards") }
    if recurrence.statefulBatch != nil { throw .notInTFJS("a stateful layer") }
    guard recurrence.returns == .last || recurrence.returns == .sequence else {
      throw .notInTFJS("a recurrent layer that gives its states")
    }
    guard let name = Self.name(of: activation, layer) else {
      throw .activationOfTFJS(activation.text)
    }
    var settings: [(String, JSONValue)] = [
      ("units", .number(Double(units))), ("activation", .string(name)),
      ("return_sequences", .bool(recurrence.returns == .sequence)),
      layer.flag("use_bias", .bias),
    ]
    if let recurrentActivation {
      guard let name = Self.name(of: recurrentActivation, layer) else {
        throw .activationOfTFJS(recurrentActivation.text)
      }
      settings.append(("recurrent_activation", .string(name)))
    }
    self.init(
      className, settings,
      weights: layer.weights(
        (.kernel, "kernel"), (.recurrent, "recurrent_kernel"), (.bias, "bias")))
  }

  /// What convolutions have in common.
  private static func settings<Space>(
    kernelSize: SpatialSize<Space>, _ strides: SpatialSize<Space>,
    _ dilation: SpatialSize<Space>, _ padding: Padding
  ) throws(NetconvError) -> [(String, JSONValue)] {
    guard strides == .one || dilation == .one else {
      throw .notInTFJS("a convolution with both strides and dilation")
    }
    return [
      ("kernel_size", .sizes(kernelSize.sizes)), ("strides", .sizes(strides.sizes)),
      ("dilation_rate", .sizes(dilation.sizes)), ("padding", .string(padding.rawValue)),
      ("data_format", .string("channels_last")),
    ]
  }

  /// The setting of an activation; what has no name there comes behind, as a layer.
  private static func activation(
    _ function: ActivationFunction, _ layer: Layer
  ) -> (String, JSONValue) {
    ("activation", .string(name(of: function, layer) ?? "linear"))
  }
}

extension Layer {
  /// An axis as Keras counts them: with the batch, negative from the end.
  fileprivate func withBatch(_ axis: Int) -> JSONValue {
    .number(Double(axis < 0 ? axis : axis + 1))
  }

  /// Whether an activation runs along the last axis alone.
  fileprivate func isLast(_ axis: AxisList) -> Bool {
    let rank = outputShape.rank
    return (try? axis.indices(rank: rank)) == [rank - 1]
  }

  /// Whether the layer has a parameter, as a setting.
  fileprivate func flag(_ name: String, _ role: ParameterRole) -> (String, JSONValue) {
    (name, .bool(parameter(role) != nil))
  }

  /// The arrays that the layer has, by the names that TensorFlow.js has for them.
  fileprivate func weights(_ roles: (ParameterRole, String)...) -> [TFJSLayer.Weight] {
    roles.compactMap { role, name in
      parameter(role).map { (name, $0.key) }
    }
  }
}

extension JSONValue {
  /// A list of whole numbers.
  static func sizes(_ sizes: [Int]) -> JSONValue { .array(sizes.map { .number(Double($0)) }) }
}
