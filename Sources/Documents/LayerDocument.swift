import FoundationEssentials
import ModelIR
import Operators

/// A layer of a model, in a document.
public struct LayerDocument: Sendable {
  /// What the layer computes.
  public enum Operation: Sendable {
    /// An operator with its attributes.
    case known(any Operator)
    /// The name of an operator that this netconv does not know.
    case unknown(String)
  }

  /// Unique among layers and inputs.
  public var name: String
  /// What it computes.
  public var operation: Operation
  /// Names of layers or inputs.
  public var inputs: [String]
  /// Names of its outputs, the first of which is the layer's; `nil` for one that has no other.
  public var outputs: [String]?
  /// Of the first output, without the batch axis; only for the reader's eye, and checked if present.
  public var outputShape: [Int?]?
  /// The class that the original source named.
  public var className: String?
  /// The layer whose parameters this one uses, if they are not its own.
  public var sharesParametersOf: String?
  /// Where the values are.
  public var parameters: [ParameterDocument]

  /// A layer of a valid model.
  public init(_ layer: Layer, parameters: [ParameterDocument]) {
    name = layer.name
    operation = .known(layer.operation)
    inputs = layer.inputs
    outputs = layer.outputs.count > 1 ? layer.outputs.map(\.name) : nil
    outputShape = layer.outputShape.dimensions
    className = layer.origin?.className
    sharesParametersOf = layer.parameters.first.flatMap { $0.layer == layer.name ? nil : $0.layer }
    self.parameters = parameters
  }
}

extension LayerDocument: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name
    case `operator`
    case attributes
    case inputs
    case outputs
    case outputShape
    case className
    case sharesParametersOf
    case parameters
  }

  /// Reads a layer; an unknown operator is kept, so that all of them can be reported at once.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    name = try document.decode(String.self, forKey: .name)
    inputs = try document.decode([String].self, forKey: .inputs)
    outputs = try document.decodeIfPresent([String].self, forKey: .outputs)
    outputShape = try document.decodeIfPresent([Int?].self, forKey: .outputShape)
    className = try document.decodeIfPresent(String.self, forKey: .className)
    sharesParametersOf = try document.decodeIfPresent(String.self, forKey: .sharesParametersOf)
    parameters =
      try document.decodeIfPresent([ParameterDocument].self, forKey: .parameters) ?? []
    let operatorName = try document.decode(String.self, forKey: .operator)
    guard let type = OperatorRegistry.type(named: operatorName) else {
      operation = .unknown(operatorName)
      return
    }
    operation = .known(
      document.contains(.attributes)
        ? try type.init(from: document.superDecoder(forKey: .attributes))
        : try Self.withoutAttributes(type, at: decoder.codingPath + [CodingKeys.attributes]))
  }

  /// An operator of which the document says nothing but the name.
  private static func withoutAttributes(
    _ type: any Operator.Type, at path: [any CodingKey]
  ) throws -> any Operator {
    do {
      return try JSONDecoder().decode(type, from: Data("{}".utf8))
    } catch DecodingError.keyNotFound(let key, let context) {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: path, debugDescription: context.debugDescription))
    }
  }

  /// Writes a layer.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(name, forKey: .name)
    switch operation {
    case .known(let operation):
      try document.encode(type(of: operation).name, forKey: .operator)
      do {
        try operation.encode(to: document.superEncoder(forKey: .attributes))
      } catch let error as NetconvError {
        throw error.inLayer(name)
      }
    case .unknown(let name):
      try document.encode(name, forKey: .operator)
    }
    try document.encode(inputs, forKey: .inputs)
    try document.encodeIfPresent(outputs, forKey: .outputs)
    try document.encodeIfPresent(outputShape, forKey: .outputShape)
    try document.encodeIfPresent(className, forKey: .className)
    try document.encodeIfPresent(sharesParametersOf, forKey: .sharesParametersOf)
    try document.encode(parameters, forKey: .parameters)
  }
}

/// A parameter of a layer, in a document: which file holds it, and how.
public struct ParameterDocument: Sendable, Codable, Equatable {
  /// What it is to the layer: `kernel`, `bias`.
  public var role: String
  /// The file, relative to the document's folder.
  public var file: String
  /// What the tensor is called in that file; `nil` where the file holds raw values.
  public var tensor: String?
  /// How each value is written.
  public var dtype: String
  /// What integers are multiplied by, for each output channel; `nil` for values that are what they are.
  public var scale: ScaleDocument?
  /// The order of the axes, as in `HWIO` or `(IHW)O`.
  public var layout: String
  /// The axes, by letter, along which the values lie in reversed order; `nil` for none.
  public var reversed: [String]?
  /// The shape; checked against the layer if present.
  public var shape: [Int]?
  /// Where in the file the values begin, in bytes.
  public var offset: Int?

  /// A parameter in `file`.
  public init(
    role: String, file: String, tensor: String? = nil, dtype: String, scale: ScaleDocument? = nil,
    layout: String, reversed: Set<Axis> = [], shape: [Int]? = nil, offset: Int? = nil
  ) {
    self.role = role
    self.file = file
    self.tensor = tensor
    self.dtype = dtype
    self.scale = scale
    self.layout = layout
    self.reversed = reversed.isEmpty ? nil : reversed.map(\.description).sorted()
    self.shape = shape
    self.offset = offset
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case role
    case file
    case tensor
    case dtype
    case scale
    case layout
    case reversed
    case shape
    case offset
  }

  /// Reads a parameter; a key that it does not have is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    role = try document.decode(String.self, forKey: .role)
    guard let file = try document.decodeIfPresent(String.self, forKey: .file) else {
      throw NetconvError.parameterWithoutFile(role)
    }
    self.file = file
    tensor = try document.decodeIfPresent(String.self, forKey: .tensor)
    dtype = try document.decode(String.self, forKey: .dtype)
    scale = try document.decodeIfPresent(ScaleDocument.self, forKey: .scale)
    layout = try document.decode(String.self, forKey: .layout)
    reversed = try document.decodeIfPresent([String].self, forKey: .reversed)
    shape = try document.decodeIfPresent([Int].self, forKey: .shape)
    offset = try document.decodeIfPresent(Int.self, forKey: .offset)
  }

  /// The place of the values, for people: `conv_W.bin`, or `model.npz:conv/kernel`.
  public var path: String { tensor.map { "\(file):\($0)" } ?? file }
}

/// Where the scales of a quantised parameter are: float32, one for each output channel, in the order of the
/// parameter's layout without its other axes.
public struct ScaleDocument: Sendable, Codable, Equatable {
  /// The file, relative to the document's folder.
  public var file: String
  /// What the scales are called in that file; `nil` where the file holds raw values.
  public var tensor: String?
  /// Where in the file the scales begin, in bytes.
  public var offset: Int?

  /// Scales in `file`.
  public init(file: String, tensor: String? = nil, offset: Int? = nil) {
    self.file = file
    self.tensor = tensor
    self.offset = offset
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case file
    case tensor
    case offset
  }

  /// Reads a place; a key that it does not have is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    file = try document.decode(String.self, forKey: .file)
    tensor = try document.decodeIfPresent(String.self, forKey: .tensor)
    offset = try document.decodeIfPresent(Int.self, forKey: .offset)
  }

  /// The place of the scales, for people.
  public var path: String { tensor.map { "\(file):\($0)" } ?? file }
}
