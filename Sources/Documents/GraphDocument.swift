import ModelIR
import Operators

/// A `model.json` that defines the graph for separate weights: a model whose parameters need no files.
public struct GraphDocument: Sendable {
  /// The model; its layers have no parameters.
  public let model: ModelDocument
  /// The descriptions of each layer's parameters, in the order of the layers.
  public let parameters: [[Parameter]]

  /// Decodes a graph.
  ///
  /// - Throws: `badData` if the document is not a graph.
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

  /// The parameters of a document; the model decodes its other members.
  private struct Described: Decodable {
    let layers: [Layer]

    struct Layer: Decodable {
      let parameters: [Parameter]?
    }
  }

  /// The description of a parameter in a graph.
  public enum Parameter: Sendable, Equatable, Decodable {
    /// A parameter whose values are in a file next to the document.
    case inFile(ParameterDocument)
    /// A parameter whose values are among separate weights.
    case described(DescribedParameter)

    /// The role in the layer.
    public var role: String {
      switch self {
      case .inFile(let parameter): parameter.role
      case .described(let parameter): parameter.role
      }
    }

    private enum CodingKeys: String, CodingKey {
      case file
    }

    /// Decodes a parameter; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      self =
        try decoder.container(keyedBy: CodingKeys.self).contains(.file)
        ? .inFile(ParameterDocument(from: decoder)) : .described(DescribedParameter(from: decoder))
    }
  }
}

/// The description in `model.json` of a parameter whose values are among separate weights.
public struct DescribedParameter: Sendable, Equatable, Decodable {
  /// The role in the layer.
  public let role: String
  /// The name of the tensor.
  public let tensor: String?
  /// The shape of the tensor.
  public let shape: [Int]?
  /// The layout of the tensor.
  public let layout: String?
  /// The axes along which the values are stored in reversed order.
  public let reversed: [String]?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case role
    case tensor
    case shape
    case layout
    case reversed
  }

  /// Decodes a parameter; an unknown key is an error.
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
  /// Returns an object with `key` set to a value, or removed; other values are unchanged.
  fileprivate func setting(_ key: String, to value: JSONValue?) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members[key] = value
    return .object(members)
  }
}

extension NetconvError {
  fileprivate static var reversedWithoutLayout: NetconvError {
    NetconvError(
      .badData, "'reversed' needs 'layout', which names the axes")
  }
}
