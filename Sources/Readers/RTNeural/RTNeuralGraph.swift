import Documents
import ModelIR
import Operators

/// The chain of layers in RTNeural's JSON.
///
/// RTNeural computes step by step, so its convolutions are causal. If the stated lengths imply valid padding in
/// Keras, the convolution is read with valid padding.
struct RTNeuralGraph {
  private let inputShape: Shape
  private let layers: [JSONValue]
  private var names = UniqueNames(separator: "_")
  private var definitions: [LayerDefinition] = []
  /// The output shape of the last layer.
  private var shape: Shape
  private var last = "input"

  /// Reads the graph of a document.
  ///
  /// - Throws: `badData` if it has no input or no layers.
  init(_ document: JSONFields) throws(NetconvError) {
    inputShape = try Self.shape(try document.list("in_shape"), at: "in_shape")
    shape = inputShape
    layers = try document.list("layers")
    guard !layers.isEmpty else { throw .noLayers("layers") }
  }

  /// Returns the model.
  ///
  /// - Throws: `badData` with the layer that RTNeural does not support, or computes differently from the file.
  func model() throws(NetconvError) -> Model {
    var graph = self
    for (index, layer) in layers.enumerated() {
      try graph.add(layer, at: "layers[\(index)]")
    }
    return try Model(
      name: RTNeuralReader.format, inputs: [ModelInput(name: "input", shape: inputShape)],
      layers: graph.definitions, outputs: [graph.last])
  }

  /// Returns a Keras shape that includes the batch.
  private static func shape(
    _ sizes: [JSONValue], at path: String
  ) throws(NetconvError) -> Shape {
    guard (2...3).contains(sizes.count) else { throw .shapeOverImages(sizes.count, path) }
    var dimensions: [Int?] = []
    for (index, size) in sizes.enumerated().dropFirst() {
      dimensions.append(size == .null ? nil : try size.size(at: "\(path)[\(index)]"))
    }
    guard dimensions.last ?? nil != nil else {
      throw .wrongField("\(path)[\(sizes.count - 1)]", .null, expected: "a number of channels")
    }
    return Shape(dimensions)
  }
}

// MARK: - Layers

extension RTNeuralGraph {
  private static let commonKeys = ["type", "activation", "shape", "weights", "name"]

  private mutating func add(_ value: JSONValue, at place: String) throws(NetconvError) {
    let any = try JSONFields(value, at: place, known: nil)
    let text = try any.string("type")
    guard let type = RTNeuralLayerType(rawValue: text) else {
      throw .unknownRTNeuralType(text, any.path("type"))
    }
    let fields = try JSONFields(value, at: place, known: Set(Self.commonKeys + type.keys))
    let output = try Self.shape(try fields.list("shape"), at: fields.path("shape"))
    let name = names.next(try fields.string("name", default: type.rawValue))
    do throws(NetconvError) {
      let arrays = RTNeuralArrays(
        try fields.list("weights"), at: fields.path("weights"),
        channels: shape.dimensions.last.flatMap(\.self) ?? 0,
        units: output.dimensions.last.flatMap(\.self) ?? 0)
      let (operation, parameters) = try layer(type, fields, output, arrays)
      definitions.append(
        LayerDefinition(
          name: name, operation: operation, inputs: [last], parameters: parameters,
          origin: LayerOrigin(className: type.rawValue)))
      last = name
      let found = try operation.outputShape(for: [shape])
      guard found.isCompatible(with: output) else { throw .statedShape(output, found) }
      shape = found
    } catch {
      throw error.inLayer(name)
    }
  }

  private typealias Parts = (any Operator, [ParameterRole: StoredTensor])

  private func layer(
    _ type: RTNeuralLayerType, _ fields: JSONFields, _ output: Shape, _ arrays: RTNeuralArrays
  ) throws(NetconvError) -> Parts {
    let units = arrays.units
    switch type {
    case .dense, .timeDistributedDense:
      return (
        Dense(units: units, activation: try fields.activation()),
        try arrays.named(arrays.dense, counts: 1...2)
      )
    case .conv1d: return try convolution(fields, output, arrays)
    case .lstm:
      try fields.requireTanh()
      return (
        LSTM(units: units, recurrence: try recurrence(output)),
        try arrays.named(arrays.lstm, counts: 3...3)
      )
    case .gru:
      try fields.requireTanh()
      return (
        GRU(units: units, resetsAfter: true, recurrence: try recurrence(output)),
        try arrays.ofGRU()
      )
    case .prelu:
      try fields.requireNoActivation()
      return try rectifier(arrays)
    case .batchnorm:
      try fields.requireNoActivation()
      return (
        BatchNormalization(epsilon: try fields.number("epsilon")), try arrays.ofNormalization()
      )
    case .activation:
      _ = try arrays.named([], counts: 0...0)
      return (Activation(try fields.activation()), [:])
    }
  }

  private func convolution(
    _ fields: JSONFields, _ output: Shape, _ arrays: RTNeuralArrays
  ) throws(NetconvError) -> Parts {
    guard shape.rank == 2 else { throw .wrongRTNeuralRank(shape) }
    let (size, dilation) = (try fields.axisSize("kernel_size"), try fields.axisSize("dilation"))
    let groups = try fields.size("groups", default: 1)
    guard arrays.channels % groups == 0, arrays.units % groups == 0 else {
      throw .wrongRTNeuralGroups(groups, arrays.channels, arrays.units)
    }
    var padding = Padding.causal
    if let length = shape.dimensions[0], let stated = output.dimensions[0], stated != length {
      guard stated == length - (size - 1) * dilation else {
        throw .statedLength(stated, from: length)
      }
      padding = .valid
    }
    return (
      Convolution1D(
        outputChannels: arrays.units, kernelSize: Size1D(size), dilation: Size1D(dilation),
        groups: groups, padding: padding, activation: try fields.activation()),
      try arrays.named(
        [(.kernel, [size, arrays.channels / groups, arrays.units]), (.bias, [arrays.units])],
        counts: 2...2)
    )
  }

  /// Returns a PReLU; its slopes are a single row, with one value per channel or one for all.
  private func rectifier(_ arrays: RTNeuralArrays) throws(NetconvError) -> Parts {
    let isShared = arrays.shape(0) == [1, 1] && arrays.channels > 1
    let count = isShared ? 1 : arrays.channels
    var parameters = try arrays.named([(.alpha, [1, count])], counts: 1...1)
    let axes = Array(0..<(isShared ? shape.rank : shape.rank - 1))
    parameters[.alpha]?.shape = Array(repeating: 1, count: shape.rank - 1) + [count]
    return (PReLU(sharedAxes: axes), parameters)
  }

  /// Returns the recurrence settings; an output shape without a time axis means that only the last step is returned.
  private func recurrence(_ output: Shape) throws(NetconvError) -> Recurrence {
    guard shape.rank == 2 else { throw .wrongRTNeuralRank(shape) }
    return Recurrence(returns: output.rank == 2 ? .sequence : .last)
  }
}

extension RTNeuralLayerType {
  /// The keys of this layer type besides the common ones.
  fileprivate var keys: [String] {
    switch self {
    case .conv1d: ["kernel_size", "dilation", "groups"]
    case .batchnorm: ["epsilon"]
    default: []
    }
  }
}

extension JSONFields {
  /// Returns a size that Keras states as a list of one element.
  fileprivate func axisSize(_ key: String) throws(NetconvError) -> Int {
    guard let elements = self[key]?.array else { return try size(key) }
    guard elements.count == 1 else {
      throw .wrongField(path(key), self[key], expected: "one number")
    }
    return try elements[0].size(at: path(key))
  }

  /// Returns the activation of the layer; the loader ignores unknown names.
  fileprivate func activation() throws(NetconvError) -> ActivationFunction {
    let name = try string("activation", default: "")
    guard !name.isEmpty else { return .linear }
    guard RTNeuralDocument.activations.contains(name),
      let function = ActivationFunction.plain[name]
    else { throw .unknownRTNeuralActivation(name) }
    return function
  }

  /// Checks that the activation is tanh, since the loader ignores it for recurrent layers.
  fileprivate func requireTanh() throws(NetconvError) {
    let name = try string("activation", default: "")
    guard ["", "tanh"].contains(name) else { throw .ignoredActivation(name, computed: "tanh") }
  }

  /// Checks that there is no activation, since the loader ignores it for these layers.
  fileprivate func requireNoActivation() throws(NetconvError) {
    let name = try string("activation", default: "")
    guard name.isEmpty else { throw .ignoredActivation(name, computed: "none") }
  }
}

extension NetconvError {
  fileprivate static func shapeOverImages(_ rank: Int, _ path: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(path)) has \(rank) sizes; networks over (batch, length, channels) or (batch, channels) are read, and no "
        + "two-dimensional ones")
  }

  fileprivate static func unknownRTNeuralType(_ name: String, _ path: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(path)) is \(quoted(name)), which is not read; known are "
        + RTNeuralLayerType.allCases.map(\.rawValue).joined(separator: ", "))
  }

  fileprivate static func unknownRTNeuralActivation(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the activation \(quoted(name)) is not known to RTNeural, which would leave it out; known are "
        + RTNeuralDocument.activations.joined(separator: ", "))
  }

  fileprivate static func ignoredActivation(_ name: String, computed: String) -> NetconvError {
    NetconvError(
      .badData,
      "the activation is \(quoted(name)), which RTNeural ignores: it computes \(computed) here"
    )
  }

  fileprivate static func wrongRTNeuralRank(_ shape: Shape) -> NetconvError {
    NetconvError(.badData, "its input is \(shape), expected (length, channels)")
  }

  fileprivate static func statedLength(_ stated: Int, from length: Int) -> NetconvError {
    NetconvError(
      .badData,
      "its shape has \(stated) steps of \(length); RTNeural's JSON has neither strides nor another padding than causal"
    )
  }
}
