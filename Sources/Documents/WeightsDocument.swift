import ModelIR
import Operators

/// Weights without a graph, in `manifest.json`.
public struct WeightsDocument: Sendable, Codable {
  /// The metadata key in a safetensors file whose value is the document of its tensors.
  public static let metadataKey = "netconv"

  /// The network's name in the source.
  public var name: String
  /// The layers in the order of the source.
  public var layers: [Layer]

  /// Creates the weights of `layers`.
  public init(name: String, layers: [Layer]) {
    self.name = name
    self.layers = layers
  }

  /// Decodes weights; an unknown key is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    name = try document.decode(String.self, forKey: .name)
    layers = try document.decode([Layer].self, forKey: .layers)
  }

  /// A layer of which only the parameters are known.
  public struct Layer: Sendable, Codable {
    /// The name, unique among the layers.
    public var name: String
    /// The class name in the original source.
    public var className: String?
    /// The locations of the values.
    public var parameters: [Parameter]

    /// Creates a layer called `name`.
    public init(name: String, className: String?, parameters: [Parameter]) {
      self.name = name
      self.className = className
      self.parameters = parameters
    }

    /// Decodes a layer; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      name = try document.decode(String.self, forKey: .name)
      className = try document.decodeIfPresent(String.self, forKey: .className)
      parameters = try document.decode([Parameter].self, forKey: .parameters)
    }
  }

  /// A parameter: its file, location, format and kind.
  public struct Parameter: Sendable, Codable {
    /// The role in the layer.
    public var role: String
    /// The name of the ``ParameterKind``, which determines the layout for a target.
    public var kind: String
    /// The file, relative to the document's folder.
    public var file: String
    /// The tensor's name in that file; `nil` for a file of raw values.
    public var tensor: String?
    /// The element type.
    public var dtype: String
    /// The scales of integer values, one per output channel; `nil` if the values are not quantised.
    public var scale: ScaleDocument?
    /// The layout.
    public var layout: String
    /// The axes, by letter, along which the values are stored in reversed order; `nil` for none.
    public var reversed: [String]?
    /// The size of each axis, by letter.
    public var sizes: [String: Int]

    /// Creates a parameter in the layout requested for `tensor`.
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

    /// Decodes a parameter; an unknown key is an error.
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

    /// The parameter as in the document of a model.
    public func document(shape: [Int]) -> ParameterDocument {
      var document = ParameterDocument(
        role: role, file: file, tensor: tensor, dtype: dtype, scale: scale, layout: layout,
        shape: shape)
      document.reversed = reversed
      return document
    }
  }
}
