import ModelIR
import Operators

/// A `model.json` that gives other weights a graph: a model whose parameters need no files.
public struct GraphDocument: Sendable {
  /// The model, whose layers have no parameters.
  public let model: ModelDocument
  /// What is said of the parameters of each layer, in the order of the layers.
  public let parameters: [[Parameter]]

  /// Reads a graph.
  ///
  /// - Throws: `badData` if it is none.
  public init(_ document: JSONValue) throws(NetconvError) {
    guard document.isFinite else { throw .unfitNumber }
    parameters = try JSONDocument.decode(
      Described.self, from: JSONDocument.encodeCompact(document)
    ).layers.map { $0.parameters ?? [] }
    let layers = (document["layers"]?.array ?? []).map { $0.setting("parameters", to: nil) }
    model = try JSONDocument.decode(
      ModelDocument.self,
      from: JSONDocument.encodeCompact(document.setting("layers", to: .array(layers))))
  }

  /// The parameters of a document; its other members are the model's to read.
  private struct Described: Decodable {
    let layers: [Layer]

    struct Layer: Decodable {
      let parameters: [Parameter]?
    }
  }

  /// What a graph says of a parameter.
  public enum Parameter: Sendable, Equatable, Decodable {
    /// Its values are in a file beside the document.
    case inFile(ParameterDocument)
    /// Its values are among other weights.
    case described(DescribedParameter)

    /// What it is to the layer.
    public var role: String {
      switch self {
      case .inFile(let parameter): parameter.role
      case .described(let parameter): parameter.role
      }
    }

    private enum CodingKeys: String, CodingKey {
      case file
    }

    /// Reads a parameter; a key that it does not have is an error.
    public init(from decoder: any Decoder) throws {
      self =
        try decoder.container(keyedBy: CodingKeys.self).contains(.file)
        ? .inFile(ParameterDocument(from: decoder)) : .described(DescribedParameter(from: decoder))
    }
  }
}

/// What a `model.json` says of a parameter whose values are among other weights.
public struct DescribedParameter: Sendable, Equatable, Decodable {
  /// What it is to the layer.
  public let role: String
  /// What the tensor is called.
  public let tensor: String?
  /// Its shape.
  public let shape: [Int]?
  /// The order of its axes.
  public let layout: String?
  /// The axes along which its values lie in reversed order.
  public let reversed: [String]?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case role
    case tensor
    case shape
    case layout
    case reversed
  }

  /// Reads a parameter; a key that it does not have is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    role = try document.decode(String.self, forKey: .role)
    tensor = try document.decodeIfPresent(String.self, forKey: .tensor)
    shape = try document.decodeIfPresent([Int].self, forKey: .shape)
    layout = try document.decodeIfPresent(String.self, forKey: .layout)
    reversed = try document.decodeIfPresent([String].self, forKey: .reversed)
    guard reversed == nil || layout != nil else { throw NetconvError.reversedWithoutLayout }
  }
}

extension JSONValue {
  /// An object with another value at `key`, or without it; anything else as it is.
  fileprivate func setting(_ key: String, to value: JSONValue?) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members[key] = value
    return .object(members)
  }
}
