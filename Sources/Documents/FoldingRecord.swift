import ModelIR

/// Which layers were folded into others and which were not, in the manifest.
public struct FoldingRecord: Sendable, Codable, Equatable {
  /// The layers that are gone, in the order of the source's model.
  public var layers: [Folded]
  /// Those of the same kinds that stay, in the order of the source's model.
  public var kept: [Kept]

  /// A record of `layers` that are gone and those that were `kept`.
  public init(layers: [Folded], kept: [Kept]) {
    self.layers = layers
    self.kept = kept
  }

  /// Reads a record; a key that it does not have is an error.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.attributes(CodingKeys.self)
    layers = try document.decode([Folded].self, forKey: .layers)
    kept = try document.decode([Kept].self, forKey: .kept)
  }

  /// A layer that another does on the way.
  public struct Folded: Sendable, Codable, Equatable {
    /// The layer that is gone.
    public var layer: String
    /// Its operator.
    public var `operator`: String
    /// The layer whose parameters changed, and whose values are read in the place of the one that is gone.
    public var into: String
    /// What changed, as roles of ``into``.
    public var roles: [String]
    /// Whether the bias is new.
    public var createdBias: Bool
    /// Where in the source the parameters are that went into it.
    public var parameters: [String]

    /// A layer folded into another.
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

    /// Reads a layer; a key that it does not have is an error.
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

  /// A layer that had to stay.
  public struct Kept: Sendable, Codable, Equatable {
    /// The layer.
    public var layer: String
    /// Its operator.
    public var `operator`: String
    /// Why, in words.
    public var reason: String

    /// A layer that stays for a `reason`.
    public init(layer: String, operator: String, reason: String) {
      self.layer = layer
      self.operator = `operator`
      self.reason = reason
    }

    /// Reads a layer; a key that it does not have is an error.
    public init(from decoder: any Decoder) throws {
      let document = try decoder.attributes(CodingKeys.self)
      layer = try document.decode(String.self, forKey: .layer)
      `operator` = try document.decode(String.self, forKey: .operator)
      reason = try document.decode(String.self, forKey: .reason)
    }
  }
}
