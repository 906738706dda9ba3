import ModelIR
import Operators

/// A model as tensors of a graph, in the order in which they are added.
///
/// The first axis of a tensor is the batch; shapes here leave it out.
struct MPSGraphPlan {
  /// A tensor of the graph.
  struct Value {
    /// The name of the constant, or an array literal of several constants.
    var name: String
    var shape: [Int]
    /// The constants of an array.
    var elements: [String]?

    /// The constants that a statement with this value reads.
    var constants: [String] { elements ?? [name] }
  }

  let inputs: [Input]
  /// An input of the model.
  struct Input {
    let input: ModelInput
    /// The tensor that layers read.
    let value: Value
    /// The constant of the placeholder, if the layers read another dtype.
    let fed: String
  }

  private(set) var statements: [MPSGraphStatement] = []
  /// The tensors of the model's outputs in order.
  private(set) var outputs: [Value] = []

  private var values: [String: Value] = [:]
  private let uses: LayerUses
  /// The custom layers.
  let customLayers: CustomLayers
  private var identifiers: SwiftIdentifiers
  /// Identifiers that the class or its initialiser uses.
  private static let taken: Set<String> = [
    "activations", "all", "device", "executables", "format", "graph", "input", "inputShape",
    "inputShapes",
    "inputs", "layers", "output", "outputShape", "outputShapes", "outputs", "parameters",
    "pictures", "predict",
    "queue", "tensors",
  ]

  /// Creates a plan for `model`.
  ///
  /// - Throws: `badData` with every layer that MPSGraph has no operation for.
  init(_ model: Model, _ customLayers: CustomLayers) throws(NetconvError) {
    uses = LayerUses(model)
    self.customLayers = customLayers
    identifiers = SwiftIdentifiers(
      besides: customLayers.isEmpty ? Self.taken : Self.taken.union(["customLayers"]))
    var inputs: [Input] = []
    for input in model.inputs {
      let value = Value(
        name: identifiers.next(SwiftText.camelCase(input.name)), shape: try input.shape.sizes)
      let fed = identifiers.next(value.name + "Floats")
      inputs.append(Input(input: input, value: value, fed: fed))
      values[input.name] = value
    }
    self.inputs = inputs
    var problems: [Message] = []
    for layer in model.layers where uses.reachesOutput(layer.name) {
      do throws(NetconvError) {
        values[layer.name] = try plan(layer)
      } catch {
        problems.append("\(model.place(of: layer.name)): \(error.text)")
      }
    }
    guard problems.isEmpty else { throw .notWritten(problems, in: "MPSGraph") }
    for name in model.outputs {
      guard let value = values[name], !inputs.contains(where: { $0.value.name == value.name })
      else { throw .inputAsOutput(name) }
      outputs.append(value)
    }
  }

  /// The functions that the statements call in a float16 or float32 network.
  func helpers(storesHalves: Bool) -> Set<MPSGraphHelper> {
    var helpers: Set<MPSGraphHelper> = []
    for call in statements.map(\.call) {
      helpers.formUnion(call.helpers)
      if storesHalves, call.isInFloats { helpers.insert(.inFloats) }
    }
    return helpers
  }

  /// Adds a tensor computed from `source`.
  ///
  /// - Parameters:
  ///   - others: Other values that the call's arguments name.
  ///   - part: The suffix after the layer's name, for an intermediate tensor.
  mutating func add(
    _ call: MPSGraphCall, _ source: Value, _ others: [Value] = [], part: String = "",
    of layer: Layer, shape: [Int]
  ) -> Value {
    let constant = identifiers.next(SwiftText.camelCase(layer.name + part))
    statements.append(
      MPSGraphStatement(
        constant: constant, call: call, source: source.name,
        reads: ([source] + others).flatMap(\.constants), name: part == "" ? layer.name : nil))
    return Value(name: constant, shape: shape)
  }
}

// MARK: - Layers

extension MPSGraphPlan {
  /// Adds the tensors of a layer, with its shapes in a comment above the first and its name on the
  /// last.
  ///
  /// An input may be missing because it could not be planned, which was already reported. The
  /// following layers are still checked, but their text is discarded.
  private mutating func plan(_ layer: Layer) throws(NetconvError) -> Value {
    var inputs: [Value] = []
    for (name, shape) in zip(layer.inputs, layer.inputShapes) {
      inputs.append(Value(name: values[name]?.name ?? "", shape: try shape.sizes))
    }
    guard !inputs.isEmpty else { throw .noOperation(layer) }
    let shape = try layer.outputShape.sizes
    let first = statements.count
    let value = try plan(layer, inputs, shape)
    guard statements.count > first else { return value }
    var from: [String] = []
    for input in inputs where !from.contains(input.shape.text) { from.append(input.shape.text) }
    statements[first].comment = [
      "\(from.joined(separator: ", ")) -> \(shape.text)", Self.remark(layer, inputs[0]),
    ].compactMap(\.self)
    if !uses.isUnstored(layer.name) { statements[statements.count - 1].layer = layer.name }
    return value
  }

  private mutating func plan(
    _ layer: Layer, _ inputs: [Value], _ shape: [Int]
  ) throws(NetconvError) -> Value {
    let input = inputs[0]
    switch layer.operation {
    case is Identity: return input
    case let operation as Convolution2D: return try convolution(input, operation, layer, shape)
    case let operation as DepthwiseConvolution2D:
      return try depthwise(input, operation, layer, shape)
    case let operation as SeparableConvolution2D:
      return try separable(input, operation, layer, shape)
    case let operation as TransposedConvolution2D:
      return try transposed(input, operation, layer, shape)
    case let operation as Dense: return try dense(input, operation, layer, shape)
    case let operation as MaxPooling2D:
      return pooling(.maxPooling, input, operation.window, layer, shape)
    case let operation as AveragePooling2D:
      return pooling(.averagePooling, input, operation.window, layer, shape)
    case is GlobalMaxPooling2D, is GlobalMaxPooling1D:
      return globalPooling(
        .graph("reductionMaximum", with: "with", Self.spatialAxes(input)), input, layer, shape)
    case is GlobalAveragePooling2D, is GlobalAveragePooling1D:
      return globalPooling(
        .graph("mean", with: "of", Self.spatialAxes(input)).inFloats, input, layer, shape)
    case let operation as Activation:
      return try activated(operation.function, input, layer, shape)
    case let operation as BatchNormalization: return normalized(input, operation, layer, shape)
    case let operation as LayerNormalization:
      return try normalized(input, operation, layer, shape)
    case let operation as Normalization:
      return try standardized(input, operation, layer, shape)
    case let operation as Rescaling: return rescaled(input, operation, layer, shape)
    case let operation as ScaledAdd: return scaledSum(inputs, operation, layer, shape)
    case let operation as PReLU: return rectified(input, operation, layer, shape)
    case is Scale: return scaled(input, layer, shape)
    case is any ClosureOperator: return try custom(inputs, layer, shape)
    case let operation as any MergeOperator:
      return merged(inputs, type(of: operation).combination, layer, shape)
    default:
      if let value = try line(input, layer, shape) { return value }
      return try rearranged(inputs, layer, shape)
    }
  }

  /// A comment on uneven padding.
  private static func remark(_ layer: Layer, _ input: Value) -> String? {
    let operation = (layer.operation as? any LineOperator)?.planar ?? layer.operation
    let shape = input.shape.planar
    return (operation as? any WindowedOperator<Plane>)?.window
      .unevenPadding(height: shape[0], width: shape[1])
  }
}

extension Shape {
  /// The sizes of all axes.
  ///
  /// - Throws: `badData` if a size is unknown.
  fileprivate var sizes: [Int] {
    get throws(NetconvError) {
      guard let known else { throw .sizeOpen(self) }
      return known
    }
  }
}

extension [Int] {
  /// Source text such as `(28, 28, 1)`.
  var text: String { "(\(map(String.init).joined(separator: ", ")))" }

  /// The shape with an open batch axis as a literal: `[-1, 28, 28, 1]`.
  var batched: String { "\([-1] + self)" }
}
