import ModelIR
import Operators

/// A model as `model.json` and `manifest.json` hold it; `Schemas/model.v1.schema.json`.
public struct ModelDocument: Sendable {
  /// What `format` must say.
  public static let format = "netconv-model"
  /// The version that this netconv reads and writes.
  public static let version = 1

  /// What the source calls the model.
  public var name: String
  /// In the order in which arrays are fed.
  public var inputs: [InputDocument]
  /// Names of layers.
  public var outputs: [String]
  /// In any order.
  public var layers: [LayerDocument]

  /// A model called `name`.
  public init(
    name: String, inputs: [InputDocument], outputs: [String], layers: [LayerDocument]
  ) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
    self.layers = layers
  }
}

extension ModelDocument: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case format
    case version
    case name
    case inputs
    case outputs
    case layers
    /// What a draft asked and guessed; it says nothing of the model.
    case scaffold
  }

  /// Reads a model; other formats and versions are errors.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    try document.check(Self.format, .format, Self.version, .version)
    name = try document.decodeIfPresent(String.self, forKey: .name) ?? "model"
    inputs = try document.decode([InputDocument].self, forKey: .inputs)
    outputs = try document.decode([String].self, forKey: .outputs)
    layers = try document.decode([LayerDocument].self, forKey: .layers)
  }

  /// Writes a model.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: CodingKeys.self)
    try document.encode(Self.format, forKey: .format)
    try document.encode(Self.version, forKey: .version)
    try document.encode(name, forKey: .name)
    try document.encode(inputs, forKey: .inputs)
    try document.encode(outputs, forKey: .outputs)
    try document.encode(layers, forKey: .layers)
  }
}

/// An input of a model, in a document.
public struct InputDocument: Sendable, Codable {
  /// Unique among layers and inputs.
  public var name: String
  /// Without the batch axis; `null` where unknown.
  public var shape: [Int?]
  /// What is done to pixels, if that is no more than a scale and an offset: what they are multiplied by.
  public var scale: Double?
  /// What is added to a scaled pixel.
  public var offset: Double?
  /// What else is done to pixels; never beside ``scale`` or ``offset``.
  public var preprocessing: [PixelStepDocument]?

  /// An input as the IR has it.
  public init(_ input: ModelInput) {
    name = input.name
    shape = input.shape.dimensions
    if let short = input.preprocessing?.shortForm {
      (scale, offset) = short
    } else {
      preprocessing = input.preprocessing?.map(PixelStepDocument.init)
    }
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name
    case shape
    case scale
    case offset
    case preprocessing
  }

  /// Reads an input; a key that it does not have is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    name = try document.decode(String.self, forKey: .name)
    shape = try document.decode([Int?].self, forKey: .shape)
    scale = try document.decodeIfPresent(Double.self, forKey: .scale)
    offset = try document.decodeIfPresent(Double.self, forKey: .offset)
    preprocessing = try document.decodeIfPresent([PixelStepDocument].self, forKey: .preprocessing)
    guard preprocessing == nil || (scale == nil && offset == nil) else {
      throw NetconvError.twoPreparations(of: name)
    }
  }

  /// The input for the IR.
  public var input: ModelInput {
    ModelInput(
      name: name, shape: Shape(shape),
      preprocessing: preprocessing?.map(\.step) ?? [PixelStep](scale: scale, offset: offset))
  }
}
