import Documents
import ModelIR

extension ReadSource {
  /// Returns the source with the names that the user has chosen for layers and tensors.
  ///
  /// - Throws: `usage` if there is no such name, unless it may belong to the other source, or if two things get the same
  ///   name.
  package func renaming(_ options: ReaderOptions) throws(NetconvError) -> ReadSource {
    var source = try renamingLayers(options.graph.layerNames, options)
    for substitution in options.graph.substitutions {
      source = try source.applying(substitution, options)
    }
    return source
  }

  /// The tensors, if each is identified by a name of its own, as in a state dictionary; `nil` for others.
  package var namedTensors: [(name: String, stored: StoredTensor)]? {
    guard case .weights(let weights) = network, !weights.tensors.isEmpty else { return nil }
    // netconv's own safetensors files describe layers and roles too, and the path of a tensor is its name.
    let hasNamesAsPaths = format == OutputFormat.safetensors.rawValue && files.count == 1
    var named: [(String, StoredTensor)] = []
    for tensor in weights.tensors {
      guard tensor.spec.kind == .unknown || tensor.spec.kind == .vector, tensor.spec.cell == nil,
        let name = tensor.stored.name ?? (hasNamesAsPaths ? tensor.stored.path : nil)
      else { return nil }
      var stored = tensor.stored
      stored.layout = nil
      named.append((name, stored))
    }
    return named
  }

  /// Returns the source with other tensors, whose names determine layers and roles.
  ///
  /// - Throws: `badData` if the number of values of a tensor overflows.
  package func replacingTensors(
    _ tensors: [(name: String, stored: StoredTensor)]
  ) throws(NetconvError) -> ReadSource {
    var source = self
    source.network = .weights(
      try Weights(
        name: network.name, scoped: TorchNames.scoped(tensors, network: network.name)))
    return source
  }

  private func renamingLayers(
    _ names: [String: String], _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    guard !names.isEmpty else { return self }
    let (network, found) = try network.renaming(names)
    if !options.allowsOwnArchitecture,
      let missing = names.keys.sorted().first(where: { !found.contains($0) })
    {
      throw .noLayerToRename(missing, among: self.network.layerNames)
    }
    var source = self
    source.network = network
    source.renamed.formUnion(found)
    return source
  }

  /// Applies a substitution to the names of tensors, or of layers if these identify the tensors.
  private func applying(
    _ substitution: NameSubstitution, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let named = namedTensors
    let old = named?.map(\.name) ?? network.layerNames
    let found = substitution.applied(to: old)
    guard found.contains(where: { $0 != nil }) else {
      guard options.allowsOwnArchitecture else {
        throw .substitutionWithoutMatch(substitution, among: old)
      }
      return self
    }
    let new = zip(old, found).map { $1 ?? $0 }
    try Self.checkDistinct(old, new, substitution)
    var source = self
    if let named {
      source = try replacingTensors(zip(new, named).map { ($0, $1.stored) })
    } else {
      let names = Dictionary(zip(old, new).filter(!=), uniquingKeysWith: { first, _ in first })
      source.network = try network.renaming(names).network
    }
    source.renamed.insert(substitution.description)
    return source
  }

  private static func checkDistinct(
    _ old: [String], _ new: [String], _ substitution: NameSubstitution
  ) throws(NetconvError) {
    var places: [String: Int] = [:]
    for (place, name) in new.enumerated() {
      guard !name.isEmpty else { throw .nameBecomesEmpty(old[place], substitution) }
      if let other = places.updateValue(place, forKey: name) {
        throw .namesBecomeEqual(old[other], old[place], name, substitution)
      }
    }
  }
}

extension Network {
  /// The names of all layers.
  fileprivate var layerNames: [String] {
    switch self {
    case .model(let model): model.computedNames
    case .weights(let weights): weights.layers.map(\.name)
    }
  }
}

extension NetconvError {
  fileprivate static func substitutionWithoutMatch(
    _ substitution: NameSubstitution, among names: [String]
  ) -> NetconvError {
    NetconvError(
      .usage,
      "the pattern of \(quoted(substitution.description)) matches no name; there are \(SourceNote.list(names))"
    )
  }

  fileprivate static func nameBecomesEmpty(
    _ name: String, _ substitution: NameSubstitution
  ) -> NetconvError {
    NetconvError(
      .usage, "\(quoted(substitution.description)) leaves nothing of the name \(quoted(name))")
  }

  fileprivate static func namesBecomeEqual(
    _ first: String, _ second: String, _ name: String, _ substitution: NameSubstitution
  ) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(substitution.description)) gives \(quoted(first)) and \(quoted(second)) the same name, \(quoted(name))"
    )
  }
}
