import ModelIR

/// The last way to find tensors: the order of layers and of scopes.
extension Binder {
  /// Binds the layers that are left to the scopes that are left, if there is one way to do it that keeps the order.
  mutating func bindByOrder() throws(NetconvError) {
    let unbound = layers.filter { !isBound($0) }
    let needed = unbound.filter { layer in
      layer.specs.contains { isNeeded($0, in: layer.name) }
    }
    // Layers that can do without their parameters may have them all the same: all of them, or none.
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

  /// Which layers fit which of the scopes that have tensors left.
  private func table(
    of open: [Owner]
  ) -> (table: OrderTable, scopes: [String]) {
    let free = scopeOrder.filter(hasTensorsLeft)
    let outer = Set(scopeOrder.map { $0.splitAtLast(".").scope })
    // Of many layers and scopes few are unlike: each pair of kinds is looked at once.
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

  /// What of a scope decides which layers it fits.
  ///
  /// - Parameter isOuter: whether other scopes are in it.
  private func kind(of scope: String, isOuter: Bool) -> [AnyHashable] {
    let members = (scopes[scope] ?? []).filter { !taken.contains($0) }.map { tensors[$0] }
    let facts: [AnyHashable] = members.flatMap { [$0.word, $0.shape] as [AnyHashable] }
    let hasOwnLayouts = members.contains {
      $0.tensor.spec.kind != .unknown && $0.tensor.spec.kind != .vector
    }
    // Parts of a layer are in scopes of their own, which only the name leads to.
    return isOuter || hasOwnLayouts ? [scope] + facts : facts
  }

  /// Things that are alike, by numbers.
  private struct Kinds<Key: Hashable> {
    private var indices: [Key: Int] = [:]

    mutating func index(of key: Key) -> Int {
      if let known = indices[key] { return known }
      defer { indices[key] = indices.count }
      return indices.count
    }
  }

  /// The layers that order alone tells from others: those bound by it whose shapes another such layer has, too.
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
