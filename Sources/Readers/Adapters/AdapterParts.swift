import ModelIR

/// The tensors of an adapter by the module that they change.
struct AdapterParts {
  /// The factors of one module, and what belongs to them.
  struct Module {
    let name: String
    var parts: [Part: StoredTensor] = [:]

    /// Returns a part.
    ///
    /// - Throws: `badData` if it is missing.
    func required(_ part: Part) throws(NetconvError) -> StoredTensor {
      guard let tensor = parts[part] else { throw .missingPart(part) }
      return tensor
    }
  }

  /// A tensor of a module, by the end of its name.
  enum Part: String, CaseIterable {
    case inputFactor = ".lora_A.weight"
    case outputFactor = ".lora_B.weight"
    case bias = ".lora_B.bias"
    case embeddingInput = ".lora_embedding_A"
    case embeddingOutput = ".lora_embedding_B"
    case magnitude = ".lora_magnitude_vector"
  }

  /// The names of adapted weights begin with this in PEFT's files.
  static let prefix = "base_model.model."

  private(set) var modules: [Module] = []
  /// Tensors that replace those of the base, by name.
  private(set) var replacements: [(name: String, stored: StoredTensor)] = []

  /// Sorts the tensors of an adapter.
  ///
  /// - Throws: `badData` with the name of a tensor of another kind.
  init(_ tensors: [(name: String, stored: StoredTensor)]) throws(NetconvError) {
    var places: [String: Int] = [:]
    for (key, stored) in tensors {
      guard key.hasPrefix(Self.prefix) else { throw NetconvError.withoutPrefix.inTensor(key) }
      guard stored.kind == nil, Set<ElementType>.floats.contains(stored.source.elementType) else {
        throw NetconvError.factorOfType(stored.typeName).inTensor(key)
      }
      let name = String(key.dropFirst(Self.prefix.count))
      guard let part = Part.allCases.first(where: { name.hasSuffix($0.rawValue) }) else {
        guard !name.contains("lora_") else { throw NetconvError.unknownPart.inTensor(key) }
        replacements.append((Self.replaced(name), stored))
        continue
      }
      let module = String(name.dropLast(part.rawValue.count))
      let place = places[module] ?? modules.count
      if place == modules.count { modules.append(Module(name: module)) }
      places[module] = place
      modules[place].parts[part] = stored
    }
  }

  /// The name of a replaced tensor in the base.
  private static func replaced(_ name: String) -> String {
    name.split(separator: ".", omittingEmptySubsequences: false)
      .filter { $0 != "base_layer" && $0 != "modules_to_save" }.joined(separator: ".")
  }
}

extension NetconvError {
  fileprivate static let withoutPrefix = NetconvError(
    .badData,
    "does not begin with \(quoted(AdapterParts.prefix)), as the tensors of PEFT's adapters do")

  fileprivate static func factorOfType(_ type: String) -> NetconvError {
    NetconvError(.badData, "is of the type \(type), expected floats")
  }

  fileprivate static let unknownPart = NetconvError(
    .badData, "is a part of an adapter that netconv does not know, so that nothing is merged")

  fileprivate static func missingPart(_ part: AdapterParts.Part) -> NetconvError {
    NetconvError(.badData, "the adapter has no \(quoted(String(part.rawValue.dropFirst()))) for it")
  }
}
