import ModelIR
import Operators

/// Weights without a graph, as `manifest.json` holds them.
public struct WeightsDocument: Sendable, Codable {
  /// What the text in the header of a safetensors file is called that holds the document of its tensors.
  public static let metadataKey = "netconv"

  /// What the source calls the network.
  public var name: String
  /// In the order of the source.
  public var layers: [Layer]

  /// The weights of `layers`.
  public init(name: String, layers: [Layer]) {
    self.name = name
    self.layers = layers
  }

  /// Reads weights; a key that they do not have is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    name = try document.decode(String.self, forKey: .name)
    layers = try document.decode([Layer].self, forKey: .layers)
  }

  /// A layer of which only the parameters are known.
  public struct Layer: Sendable, Codable {
    /// Unique among the layers.
    public var name: String
    /// The class that the original source named.
    public var className: String?
    /// Where the values are.
    public var parameters: [Parameter]

    /// A layer called `name`.
    public init(name: String, className: String?, parameters: [Parameter]) {
      self.name = name
      self.className = className
      self.parameters = parameters
    }

    /// Reads a layer; a key that it does not have is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      name = try document.decode(String.self, forKey: .name)
      className = try document.decodeIfPresent(String.self, forKey: .className)
      parameters = try document.decode([Parameter].self, forKey: .parameters)
    }
  }

  /// A parameter: which file holds it, how, and what a consumer takes it for.
  public struct Parameter: Sendable, Codable {
    /// What it is to the layer.
    public var role: String
    /// What a consumer takes it for, by the name of a ``ParameterKind``.
    public var kind: String
    /// The file, relative to the document's folder.
    public var file: String
    /// What the tensor is called in that file; `nil` where the file holds raw values.
    public var tensor: String?
    /// How each value is written.
    public var dtype: String
    /// What integers are multiplied by, for each output channel; `nil` for values that are what they are.
    public var scale: ScaleDocument?
    /// The order of the axes.
    public var layout: String
    /// The axes, by letter, along which the values lie in reversed order; `nil` for none.
    public var reversed: [String]?
    /// The size of each axis, by letter.
    public var sizes: [String: Int]

    /// A parameter as `tensor` is wanted.
    public init(_ parameter: ParameterDocument, _ tensor: Tensor) {
      role = parameter.role
      kind = tensor.spec.kind.rawValue
      file = parameter.file
      self.tensor = parameter.tensor
      dtype = parameter.dtype
      scale = parameter.scale
      layout = parameter.layout
      reversed = parameter.reversed
      sizes = Dictionary(
        uniqueKeysWithValues: tensor.layout.axes.map { axis in
          (axis.description, tensor.spec.sizes[axis] ?? 1)
        })
    }

    /// Reads a parameter; a key that it does not have is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      role = try document.decode(String.self, forKey: .role)
      kind = try document.decode(String.self, forKey: .kind)
      file = try document.decode(String.self, forKey: .file)
      tensor = try document.decodeIfPresent(String.self, forKey: .tensor)
      dtype = try document.decode(String.self, forKey: .dtype)
      scale = try document.decodeIfPresent(ScaleDocument.self, forKey: .scale)
      layout = try document.decode(String.self, forKey: .layout)
      reversed = try document.decodeIfPresent([String].self, forKey: .reversed)
      sizes = try document.decode([String: Int].self, forKey: .sizes)
    }

    /// The parameter as a model's document has it.
    public func document(shape: [Int]) -> ParameterDocument {
      var document = ParameterDocument(
        role: role, file: file, tensor: tensor, dtype: dtype, scale: scale, layout: layout,
        shape: shape)
      document.reversed = reversed
      return document
    }
  }
}
