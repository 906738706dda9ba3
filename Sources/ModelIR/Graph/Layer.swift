/// The origin of a layer, for messages and summaries.
public struct LayerOrigin: Sendable, Equatable {
  /// The class name in the source: `Conv2D`.
  public let className: String
  /// The number of values that the source stores for training only.
  public let trainingOnlyCount: Int

  /// Creates the origin of a layer of class `className`.
  public init(className: String, trainingOnlyCount: Int = 0) {
    self.className = className
    self.trainingOnlyCount = trainingOnlyCount
  }
}

/// A layer as the source describes it, before validation.
public struct LayerDefinition: Sendable {
  /// Unique among values; also the name of the first output.
  public var name: String
  /// The operator that the layer applies.
  public var operation: any Operator
  /// The names of the input values, in order: outputs of layers or inputs of the model.
  public var inputs: [String]
  /// The names of the outputs after the first, each unique among values; `nil` for `name/1`, `name/2`, ….
  public var furtherOutputs: [String]?
  /// The stored parameters, by role.
  public var parameters: [ParameterRole: StoredTensor]
  /// The layer that owns the parameters, if several layers share them.
  public var parameterOwner: String?
  /// The origin of the layer.
  public var origin: LayerOrigin?

  /// Creates a layer called `name`.
  public init(
    name: String, operation: any Operator, inputs: [String], furtherOutputs: [String]? = nil,
    parameters: [ParameterRole: StoredTensor] = [:], parameterOwner: String? = nil,
    origin: LayerOrigin? = nil
  ) {
    self.name = name
    self.operation = operation
    self.inputs = inputs
    self.furtherOutputs = furtherOutputs
    self.parameters = parameters
    self.parameterOwner = parameterOwner
    self.origin = origin
  }

  /// The names of all outputs, in the order of the operator's outputs.
  public var outputs: [String] {
    [name] + (furtherOutputs ?? (1..<max(1, operation.outputCount)).map { "\(name)/\($0)" })
  }
}

/// An output of a layer.
public struct LayerOutput: Sendable, Equatable {
  /// The name, unique among values; the first output has the layer's name.
  public let name: String
  /// The shape without the batch axis.
  public let shape: Shape
}

/// A layer of a validated model.
public struct Layer: Sendable {
  /// The name, unique among values; also the name of the first output.
  public let name: String
  /// The operator that the layer applies.
  public let operation: any Operator
  /// The names of the input values, in order: outputs of layers or inputs of the model.
  public let inputs: [String]
  /// The shapes of the inputs, without the batch axis.
  public let inputShapes: [Shape]
  /// The outputs, in the order of the operator's outputs; at least one.
  public let outputs: [LayerOutput]
  /// The parameters, in the order of the operator's specs.
  public internal(set) var parameters: [Tensor]
  /// The origin of the layer.
  public let origin: LayerOrigin?

  /// The shape of the first output, without the batch axis.
  public var outputShape: Shape { outputs[0].shape }

  /// Returns the parameter with the given role, if the layer has one.
  public func parameter(_ role: ParameterRole) -> Tensor? {
    parameters.first { $0.spec.role == role }
  }
}

/// An input of a model.
public struct ModelInput: Sendable, Equatable {
  /// The name, unique among layers and inputs.
  public let name: String
  /// The shape without the batch axis.
  public let shape: Shape
  /// The preprocessing of pixels, in order, if the model records it; an empty list means that they are used unchanged.
  public let preprocessing: [PixelStep]?

  /// Creates an input called `name`.
  public init(name: String, shape: Shape, preprocessing: [PixelStep]?) {
    self.name = name
    self.shape = shape
    self.preprocessing = preprocessing
  }

  /// Creates an input called `name` whose pixels are multiplied by `scale`, then have `offset` added.
  public init(name: String, shape: Shape, scale: Double? = nil, offset: Double? = nil) {
    self.init(
      name: name, shape: shape, preprocessing: [PixelStep](scale: scale, offset: offset))
  }
}
