/// Where a layer came from, for messages and summaries.
public struct LayerOrigin: Sendable, Equatable {
  /// The class that the source names: `Conv2D`.
  public let className: String
  /// Values that the source holds for the layer and only training uses.
  public let trainingOnlyCount: Int

  /// A layer of class `className`.
  public init(className: String, trainingOnlyCount: Int = 0) {
    self.className = className
    self.trainingOnlyCount = trainingOnlyCount
  }
}

/// A layer as a source describes it, before anything is checked.
public struct LayerDefinition: Sendable {
  /// Unique among values; also the name of the first output.
  public var name: String
  /// What it computes.
  public var operation: any Operator
  /// Names of values, which are outputs of layers or inputs of the model, in order.
  public var inputs: [String]
  /// Names of the outputs behind the first, each unique among values; `nil` for `name/1`, `name/2`, ….
  public var furtherOutputs: [String]?
  /// What the source holds for it.
  public var parameters: [ParameterRole: StoredTensor]
  /// The layer that owns the parameters, if several share them.
  public var parameterOwner: String?
  /// Where it came from.
  public var origin: LayerOrigin?

  /// A layer called `name`.
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

  /// Names of all outputs, in the order of the operator's.
  public var outputs: [String] {
    [name] + (furtherOutputs ?? (1..<max(1, operation.outputCount)).map { "\(name)/\($0)" })
  }
}

/// A value that a layer computes.
public struct LayerOutput: Sendable, Equatable {
  /// Unique among values; of the first output of a layer, the layer's.
  public let name: String
  /// Without the batch axis.
  public let shape: Shape
}

/// A layer of a valid model.
public struct Layer: Sendable {
  /// Unique among values; also the name of the first output.
  public let name: String
  /// What it computes.
  public let operation: any Operator
  /// Names of values, which are outputs of layers or inputs of the model, in order.
  public let inputs: [String]
  /// The shapes of the inputs, without the batch axis.
  public let inputShapes: [Shape]
  /// The values that it computes, in the order of the operator's outputs; at least one.
  public let outputs: [LayerOutput]
  /// The parameters, in the order of the operator's specs.
  public internal(set) var parameters: [Tensor]
  /// Where it came from.
  public let origin: LayerOrigin?

  /// The shape of the first output, without the batch axis.
  public var outputShape: Shape { outputs[0].shape }

  /// The parameter with that role, if the layer has it.
  public func parameter(_ role: ParameterRole) -> Tensor? {
    parameters.first { $0.spec.role == role }
  }
}

/// An input of a model.
public struct ModelInput: Sendable, Equatable {
  /// Unique among layers and inputs.
  public let name: String
  /// Without the batch axis.
  public let shape: Shape
  /// What is done to pixels before they are fed, in this order, if the model records it; an empty list records that they
  /// are fed as they are.
  public let preprocessing: [PixelStep]?

  /// An input called `name`.
  public init(name: String, shape: Shape, preprocessing: [PixelStep]?) {
    self.name = name
    self.shape = shape
    self.preprocessing = preprocessing
  }

  /// An input called `name`, with the short form of what is done to pixels: they are scaled, then the offset is added.
  public init(name: String, shape: Shape, scale: Double? = nil, offset: Double? = nil) {
    self.init(
      name: name, shape: shape, preprocessing: [PixelStep](scale: scale, offset: offset))
  }
}
