import ModelIR

/// The folded and kept layers, as recorded in the manifest.
public struct FoldingRecord: Sendable, Codable, Equatable {
  /// The removed layers, in the order of the source's model.
  public var layers: [Folded]
  /// The layers of the same types that were kept, in the order of the source's model.
  public var kept: [Kept]

  /// Creates a record of removed and kept layers.
  public init(layers: [Folded], kept: [Kept]) {
    self.layers = layers
    self.kept = kept
  }

  /// Decodes a record; an unknown key is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    layers = try document.decode([Folded].self, forKey: .layers)
    kept = try document.decode([Kept].self, forKey: .kept)
  }

  /// A layer that was folded into another.
  public struct Folded: Sendable, Codable, Equatable {
    /// The removed layer.
    public var layer: String
    /// The layer's operator.
    public var `operator`: String
    /// The layer whose parameters changed; it replaces the removed layer as an input.
    public var into: String
    /// The roles of the parameters that changed, in ``into``.
    public var roles: [String]
    /// True if the bias was created by folding.
    public var createdBias: Bool
    /// The locations of the folded parameters in the source.
    public var parameters: [String]

    /// Creates a record of a layer folded into another.
    public init(
      layer: String, operator: String, into: String, roles: [String], createdBias: Bool,
      parameters: [String]
    ) {
      self.layer = layer
      self.operator = `operator`
      self.into = into
      self.roles = roles
      self.createdBias = createdBias
      self.parameters = parameters
    }

    /// Decodes a layer; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      layer = try document.decode(String.self, forKey: .layer)
      `operator` = try document.decode(String.self, forKey: .operator)
      into = try document.decode(String.self, forKey: .into)
      roles = try document.decode([String].self, forKey: .roles)
      createdBias = try document.decode(Bool.self, forKey: .createdBias)
      parameters = try document.decode([String].self, forKey: .parameters)
    }
  }

  /// A layer that could not be folded.
  public struct Kept: Sendable, Codable, Equatable {
    /// The layer.
    public var layer: String
    /// The layer's operator.
    public var `operator`: String
    /// The reason as text.
    public var reason: String

    /// Creates a record of a layer that was kept for a `reason`.
    public init(layer: String, operator: String, reason: String) {
      self.layer = layer
      self.operator = `operator`
      self.reason = reason
    }

    /// Decodes a layer; an unknown key is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      layer = try document.decode(String.self, forKey: .layer)
      `operator` = try document.decode(String.self, forKey: .operator)
      reason = try document.decode(String.self, forKey: .reason)
    }
  }
}
