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
  /// Unique among layers and inputs.
  public var name: String
  /// What it computes.
  public var operation: any Operator
  /// Names of layers or model inputs, in order.
  public var inputs: [String]
  /// What the source holds for it.
  public var parameters: [ParameterRole: StoredTensor]
  /// The layer that owns the parameters, if several share them.
  public var parameterOwner: String?
  /// Where it came from.
  public var origin: LayerOrigin?

  /// A layer called `name`.
  public init(
    name: String, operation: any Operator, inputs: [String],
    parameters: [ParameterRole: StoredTensor] = [:], parameterOwner: String? = nil,
    origin: LayerOrigin? = nil
  ) {
    self.name = name
    self.operation = operation
    self.inputs = inputs
    self.parameters = parameters
    self.parameterOwner = parameterOwner
    self.origin = origin
  }
}

/// A layer of a valid model.
public struct Layer: Sendable {
  /// Unique among layers and inputs.
  public let name: String
  /// What it computes.
  public let operation: any Operator
  /// Names of layers or model inputs, in order.
  public let inputs: [String]
  /// The shapes of the inputs, without the batch axis.
  public let inputShapes: [Shape]
  /// The shape of the output, without the batch axis.
  public let outputShape: Shape
  /// The parameters, in the order of the operator's specs.
  public internal(set) var parameters: [Tensor]
  /// Where it came from.
  public let origin: LayerOrigin?

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
