import FoundationEssentials
import ModelIR
import Operators

/// A layer of a model in a document.
public struct LayerDocument: Sendable {
  /// The operation of a layer.
  public enum Operation: Sendable {
    /// An operator with its attributes.
    case known(any Operator)
    /// The name of an unknown operator.
    case unknown(String)
  }

  /// The name, unique among layers and inputs.
  public var name: String
  /// The operation of the layer.
  public var operation: Operation
  /// The names of layers or inputs.
  public var inputs: [String]
  /// The names of the outputs, the first of which is the layer's; `nil` for a single output.
  public var outputs: [String]?
  /// The shape of the first output without the batch axis, for information; checked if present.
  public var outputShape: [Int?]?
  /// The class name in the original source.
  public var className: String?
  /// The layer whose parameters this layer shares, if they are not its own.
  public var sharesParametersOf: String?
  /// The locations of the values.
  public var parameters: [ParameterDocument]

  /// Creates the document of a layer of a valid model.
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

  /// Decodes a layer; an unknown operator is kept, so that all of them can be reported together.
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

  /// Decodes an operator for which the document states only the name.
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

  /// Encodes a layer.
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

/// A parameter of a layer in a document: its file, location and format.
public struct ParameterDocument: Sendable, Codable, Equatable {
  /// The role in the layer: `kernel`, `bias`.
  public var role: String
  /// The file, relative to the document's folder.
  public var file: String
  /// The tensor's name in that file; `nil` for a file of raw values.
  public var tensor: String?
  /// The element type.
  public var dtype: String
  /// The scales of integer values, one per output channel; `nil` if the values are not quantised.
  public var scale: ScaleDocument?
  /// The layout, such as `HWIO` or `(IHW)O`.
  public var layout: String
  /// The axes, by letter, along which the values are stored in reversed order; `nil` for none.
  public var reversed: [String]?
  /// The shape; checked against the layer if present.
  public var shape: [Int]?
  /// The offset of the values in the file, in bytes.
  public var offset: Int?

  /// Creates a parameter stored in `file`.
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

  /// Decodes a parameter; an unknown key is an error.
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

  /// The location of the values for messages: `conv_W.bin`, or `model.npz:conv/kernel`.
  public var path: String { tensor.map { "\(file):\($0)" } ?? file }
}

/// The location of a quantised parameter's scales.
///
/// Scales are float32, one per output channel, in the order of the parameter's layout without its other axes.
public struct ScaleDocument: Sendable, Codable, Equatable {
  /// The file, relative to the document's folder.
  public var file: String
  /// The name of the scales in that file; `nil` for a file of raw values.
  public var tensor: String?
  /// The offset of the scales in the file, in bytes.
  public var offset: Int?

  /// Creates a location of scales in `file`.
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

  /// Decodes a location; an unknown key is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    file = try document.decode(String.self, forKey: .file)
    tensor = try document.decodeIfPresent(String.self, forKey: .tensor)
    offset = try document.decodeIfPresent(Int.self, forKey: .offset)
  }

  /// The location of the scales for messages.
  public var path: String { tensor.map { "\(file):\($0)" } ?? file }
}

extension NetconvError {
  fileprivate static func parameterWithoutFile(_ role: String) -> NetconvError {
    NetconvError(
      .badData,
      "the parameter \(quoted(role)) names no file beside the description; if its values are among other weights, "
        + "read those, with this description as their graph")
  }
}
