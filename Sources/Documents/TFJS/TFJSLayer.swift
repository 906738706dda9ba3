import ModelIR
import Operators

/// A layer of TensorFlow.js, as Keras 2 describes it.
struct TFJSLayer {
  /// A setting of a class.
  typealias Setting = (name: String, value: JSONValue)
  /// An array: its name and its tensor.
  typealias Weight = (name: String, key: TensorKey)

  private let className: String
  private let settings: [String: JSONValue]
  /// The arrays, in the order in which the class creates them.
  let weights: [Weight]

  init(_ className: String, _ settings: [Setting] = [], weights: [Weight] = []) {
    self.className = className
    self.settings = Dictionary(settings.map { ($0.name, $0.value) }) { first, _ in first }
    self.weights = weights
  }

  /// The suffix of the name for an additional part of a layer.
  var suffix: String { "_" + className.lowercased() }

  /// Returns the layer as listed in `layers`.
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

  /// Returns the TensorFlow.js layers for a layer of a model.
  ///
  /// Usually there is one; activations that have their own class, and axes that are kept, need a second one.
  ///
  /// - Throws: `badData` if there is none.
  static func parts(of layer: Layer) throws(NetconvError) -> [TFJSLayer] {
    if let function = layer.operation.onlyActivation {
      return [try TFJSLayer(activation: function, layer)]
    }
    let own = try TFJSLayer(layer)
    if let function = (layer.operation as? any ActivatedOperator)?.activation,
      name(of: function, layer) == nil
    {
      return [own, try TFJSLayer(activation: function, layer)]
    }
    if own.className.hasPrefix("Global"), layer.outputShape.rank > 1 {
      return [
        own,
        TFJSLayer(reshape: layer, Array(repeating: 1, count: layer.outputShape.rank - 1) + [-1]),
      ]
    }
    return [own]
  }

  private init(_ layer: Layer) throws(NetconvError) {
    switch layer.operation {
    case let dense as Dense: self.init(dense, layer)
    case let distributed as TimeDistributed:
      guard let dense = distributed.operation as? Dense else {
        throw .notInTFJS("\(type(of: distributed.operation).name) of each step")
      }
      self.init(dense, layer)
    case let convolution as Convolution1D: try self.init("Conv1D", convolution, layer)
    case let convolution as Convolution2D: try self.init("Conv2D", convolution, layer)
    case let convolution as DepthwiseConvolution2D: try self.init(convolution, layer)
    case let convolution as SeparableConvolution2D: try self.init(convolution, layer)
    case let convolution as TransposedConvolution2D: try self.init(convolution, layer)
    case let lstm as LSTM:
      try self.init("LSTM", lstm, lstm.units, lstm.activation, lstm.recurrentActivation, layer)
    case let gru as GRU:
      guard !gru.resetsAfter else { throw .resetsAfterInTFJS }
      try self.init("GRU", gru, gru.units, gru.activation, gru.recurrentActivation, layer)
    case let simple as SimpleRNN:
      try self.init("SimpleRNN", simple, simple.units, simple.activation, nil, layer)
    case let embedding as Embedding:
      self.init(
        "Embedding",
        [
          ("input_dim", .number(Double(embedding.count))),
          ("output_dim", .number(Double(embedding.outputChannels))),
        ], weights: layer.weights((.kernel, "embeddings")))
    case let rectifier as PReLU:
      let rank = layer.outputShape.rank
      self.init(
        "PReLU",
        [("shared_axes", .sizes(rectifier.sharedAxes.map { ($0 < 0 ? $0 + rank : $0) + 1 }))],
        weights: layer.weights((.alpha, "alpha")))
    case let normalization as BatchNormalization: try self.init(normalization, layer)
    case let normalization as LayerNormalization: try self.init(normalization, layer)
    default: try self.init(withoutWeights: layer)
    }
  }

  private init(_ dense: Dense, _ layer: Layer) {
    self.init(
      "Dense",
      [
        ("units", .number(Double(dense.units))), Self.activation(dense.activation, layer),
        layer.flag("use_bias", .bias),
      ], weights: layer.weights((.kernel, "kernel"), (.bias, "bias")))
  }

  private init(_ normalization: BatchNormalization, _ layer: Layer) throws(NetconvError) {
    // Along another axis, the CPU backend applies the statistics in the wrong order; sequences of images are not
    // supported.
    guard layer.isLast(AxisList([normalization.axis])), layer.outputShape.rank <= 3 else {
      throw .notInTFJS("batch normalization of another axis than the last, or of more than three")
    }
    self.init(
      "BatchNormalization",
      [
        ("axis", layer.withBatch(normalization.axis)), ("epsilon", .number(normalization.epsilon)),
        layer.flag("center", .beta), layer.flag("scale", .gamma),
      ],
      weights: layer.weights(
        (.gamma, "gamma"), (.beta, "beta"), (.mean, "moving_mean"), (.variance, "moving_variance")))
  }

  private init(_ normalization: LayerNormalization, _ layer: Layer) throws(NetconvError) {
    guard normalization.subtractsMean else { throw .notInTFJS("a norm without a mean") }
    self.init(
      "LayerNormalization",
      [
        ("axis", .array(normalization.axis.axes.map(layer.withBatch))),
        ("epsilon", .number(normalization.epsilon)), layer.flag("center", .beta),
        layer.flag("scale", .gamma),
      ], weights: layer.weights((.gamma, "gamma"), (.beta, "beta")))
  }
}

extension Layer {
  /// Returns an axis in the numbering of Keras: with the batch, negative from the end.
  func withBatch(_ axis: Int) -> JSONValue { .number(Double(axis < 0 ? axis : axis + 1)) }

  /// Returns true if the only axis is the last one.
  func isLast(_ axis: AxisList) -> Bool {
    let rank = outputShape.rank
    return (try? axis.indices(rank: rank)) == [rank - 1]
  }

  /// Returns a setting that is true if the layer has the parameter.
  func flag(_ name: String, _ role: ParameterRole) -> TFJSLayer.Setting {
    (name, .bool(parameter(role) != nil))
  }

  /// Returns the arrays of the layer with their names in TensorFlow.js.
  func weights(_ roles: (ParameterRole, String)...) -> [TFJSLayer.Weight] {
    roles.compactMap { role, name in
      parameter(role).map { (name, $0.key) }
    }
  }
}

extension JSONValue {
  /// Creates a list of integers.
  static func sizes(_ sizes: [Int]) -> JSONValue { .array(sizes.map { .number(Double($0)) }) }
}

extension NetconvError {
  fileprivate static var resetsAfterInTFJS: NetconvError {
    NetconvError(
      .badData,
      "the reset gate is after the product (reset_after), which TensorFlow.js does not compute; choose another "
        + "target")
  }
}
