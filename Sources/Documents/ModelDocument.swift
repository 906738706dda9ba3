import ModelIR
import Operators

/// A model in `model.json` and `manifest.json`; `Schemas/model.v1.schema.json`.
public struct ModelDocument: Sendable {
  /// The required value of `format`.
  public static let format = "netconv-model"
  /// The version that this netconv reads and writes.
  public static let version = 1

  /// The model's name in the source.
  public var name: String
  /// The inputs, in the order in which arrays are passed.
  public var inputs: [InputDocument]
  /// The names of the layers that are outputs.
  public var outputs: [String]
  /// The layers in any order.
  public var layers: [LayerDocument]

  /// Creates a model called `name`.
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
    /// The questions and guesses of a scaffold; the model ignores them.
    case scaffold
  }

  /// Decodes a model; other formats and versions are errors.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    try document.check(Self.format, .format, Self.version, .version)
    name = try document.decodeIfPresent(String.self, forKey: .name) ?? "model"
    inputs = try document.decode([InputDocument].self, forKey: .inputs)
    outputs = try document.decode([String].self, forKey: .outputs)
    layers = try document.decode([LayerDocument].self, forKey: .layers)
  }

  /// Encodes a model.
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

/// An input of a model in a document.
public struct InputDocument: Sendable, Codable {
  /// The name, unique among layers and inputs.
  public var name: String
  /// The shape without the batch axis; `null` where it is unknown.
  public var shape: [Int?]
  /// The factor of pixels, if preprocessing consists of a scale and an offset only.
  public var scale: Double?
  /// The offset that is added to scaled pixels.
  public var offset: Double?
  /// Other preprocessing of pixels; never together with ``scale`` or ``offset``.
  public var preprocessing: [PixelStepDocument]?

  /// Creates the document of an input.
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

  /// Decodes an input; an unknown key is an error.
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

  /// The input of the model.
  public var input: ModelInput {
    ModelInput(
      name: name, shape: Shape(shape),
      preprocessing: preprocessing?.map(\.step) ?? [PixelStep](scale: scale, offset: offset))
  }
}

extension NetconvError {
  fileprivate static func twoPreparations(of input: String) -> NetconvError {
    NetconvError(
      .badData,
      "the input \(quoted(input)) has a scale or offset beside its preprocessing; write them as preprocessing steps"
    )
  }
}
