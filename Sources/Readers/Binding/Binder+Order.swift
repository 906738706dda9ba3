import ModelIR

/// The last resort for binding: the order of layers and of scopes.
extension Binder {
  /// Binds the remaining layers to the remaining scopes if exactly one assignment keeps the order.
  mutating func bindByOrder() throws(NetconvError) {
    let unbound = layers.filter { !isBound($0) }
    let needed = unbound.filter { layer in
      layer.specs.contains { isNeeded($0, in: layer.name) }
    }
    // Layers whose parameters are all optional may still have tensors: either all such layers, or none.
    if needed.count < unbound.count {
      let (table, free) = table(of: unbound)
      if case .unique(let columns) = table.assignment {
        for (layer, column) in zip(unbound, columns) { try bind(layer, free[column], .order) }
        return
      }
    }
    guard !needed.isEmpty else { return }
    let (table, free) = table(of: needed)
    switch table.assignment {
    case .unique(let columns):
      for (layer, column) in zip(needed, columns) { try bind(layer, free[column], .order) }
    case .none(let row):
      throw NetconvError.noScope(
        for: needed[row].specs, convention,
        found: free.prefix(20).map { scope in
          (scopes[scope] ?? []).map { "\(tensors[$0].name) \(tensors[$0].shape)" }.joined(
            separator: ", ")
        }
      ).inLayer(needed[row].name)
    case .several(let row, let first, let second):
      throw NetconvError.severalScopes(free[first], free[second]).inLayer(needed[row].name)
    }
  }

  /// Returns a table of the layers and the scopes with unbound tensors that fit them.
  private func table(
    of open: [Owner]
  ) -> (table: OrderTable, scopes: [String]) {
    let free = scopeOrder.filter(hasTensorsLeft)
    let outer = Set(scopeOrder.map { $0.splitAtLast(".").scope })
    // Most layers and scopes are alike, so each pair of kinds is compared only once.
    var layerKinds = Kinds<[AnyHashable]>()
    var scopeKinds = Kinds<[AnyHashable]>()
    let kindsOfScopes = free.map { scope in
      scopeKinds.index(of: kind(of: scope, isOuter: outer.contains(scope)))
    }
    var known: [Int: [Int: Bool]] = [:]
    let fits = open.map { layer in
      let kind = layerKinds.index(of: [layer.specs, description.roles[layer.name]])
      return zip(free, kindsOfScopes).map { scope, scopeKind in
        if let fits = known[kind]?[scopeKind] { return fits }
        let fits = self.fits(layer, scope)
        known[kind, default: [:]][scopeKind] = fits
        return fits
      }
    }
    return (OrderTable(fits), free)
  }

  /// Returns the properties of a scope that decide which layers it fits.
  ///
  /// - Parameter isOuter: True if the scope contains other scopes.
  private func kind(of scope: String, isOuter: Bool) -> [AnyHashable] {
    let members = (scopes[scope] ?? []).filter { !taken.contains($0) }.map { tensors[$0] }
    let facts: [AnyHashable] = members.flatMap { [$0.word, $0.shape] as [AnyHashable] }
    let hasOwnLayouts = members.contains {
      $0.tensor.spec.kind != .unknown && $0.tensor.spec.kind != .vector
    }
    // A composite layer keeps its tensors in nested scopes, which can only be found by name.
    return isOuter || hasOwnLayouts ? [scope] + facts : facts
  }

  /// Assigns an index to each distinct key.
  private struct Kinds<Key: Hashable> {
    private var indices: [Key: Int] = [:]

    mutating func index(of key: Key) -> Int {
      if let known = indices[key] { return known }
      defer { indices[key] = indices.count }
      return indices.count
    }
  }

  /// The layers bound by order that share their shapes with another such layer.
  var toldApartByOrder: [String] {
    var groups: [[[Int]]: [String]] = [:]
    for layer in layers {
      let places = layer.specs.compactMap { spec -> Int? in
        guard let match = matches[layer.key(of: spec)], match.way == .order else { return nil }
        return match.place
      }
      if !places.isEmpty {
        groups[places.map { tensors[$0].shape }, default: []].append(layer.name)
      }
    }
    let names = Set(groups.values.filter { $0.count > 1 }.joined())
    return layers.map(\.name).filter(names.contains)
  }
}

extension NetconvError {
  fileprivate static func noScope(
    for specs: [ParameterSpec], _ convention: WeightConvention, found: [String]
  ) -> NetconvError {
    let wanted = specs.map { spec in
      let layout = convention.layout(for: spec) ?? spec.layout
      return "\(spec.role) \((try? layout.shape(spec.sizes)) ?? []) (\(layout))"
    }.joined(separator: ", ")
    return NetconvError(
      .badData,
      "no tensors of the source fit it, by name or in the order of layers; it needs \(wanted); left are "
        + (found.isEmpty ? "none" : found.joined(separator: "; ")))
  }

  fileprivate static func severalScopes(_ first: String, _ second: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "both \(quoted(first)) and \(quoted(second)) fit it; choose with a rule of \(.bindings)")
  }
}
