import ModelIR

/// Finds the tensor for each parameter of a graph.
///
/// What is said counts first: names in the description, then rules. What is left is bound by names, and at last by the
/// order of layers, if shapes leave one way alone.
struct Binder {
  /// How a tensor was found.
  enum Way: String, CaseIterable {
    case stated = "by the names in the description"
    case rule = "by rules"
    case name = "by name"
    case order = "by order and shape"
  }

  /// The tensor of a parameter.
  struct Match {
    let place: Int
    let way: Way
  }

  let description: GraphDescription
  let tensors: [NamedTensor]
  let convention: WeightConvention
  private(set) var matches: [TensorKey: Match] = [:]
  private(set) var taken: Set<Int> = []
  private var problems: [NetconvError] = []
  /// The parameters of each layer that owns some, in the order of the graph.
  private let layers: [(name: String, specs: [ParameterSpec])]
  private let byName: [String: Int]
  /// The places of tensors by scope, and the scopes in the order of the source.
  private let scopes: [String: [Int]]
  private let scopeOrder: [String]
  /// What other scopes are in.
  private let outerScopes: Set<String>

  init(_ description: GraphDescription, _ tensors: [NamedTensor], _ convention: WeightConvention) {
    self.description = description
    self.tensors = tensors
    self.convention = convention
    var layers: [(name: String, specs: [ParameterSpec])] = []
    var places: [String: Int] = [:]
    for tensor in description.planned.tensors {
      if let place = places[tensor.layer] {
        layers[place].specs.append(tensor.spec)
      } else {
        places[tensor.layer] = layers.count
        layers.append((tensor.layer, [tensor.spec]))
      }
    }
    self.layers = layers
    byName = Dictionary(
      tensors.indices.map { (tensors[$0].name.withoutSeparators, $0) },
      uniquingKeysWith: { first, _ in first })
    scopes = Dictionary(grouping: tensors.indices) { tensors[$0].scope.withoutSeparators }
    var seen: Set<String> = []
    scopeOrder = tensors.map(\.scope.withoutSeparators).filter { seen.insert($0).inserted }
    outerScopes = Set(scopeOrder.map { $0.splitAtLast(".").scope })
  }

  /// Binds all parameters.
  ///
  /// - Throws: `usage` if a rule is wrong; `badData` with every parameter that has no tensor, or one that does not fit.
  mutating func bind(_ rules: [BindingRule]) throws(NetconvError) {
    bindStated()
    for rule in rules { try apply(rule) }
    bindRest()
    bindByName()
    try throwProblems()
    try bindByOrder()
    checkComplete()
    checkForgotten()
    try throwProblems()
  }

  private func throwProblems() throws(NetconvError) {
    if problems.count == 1 { throw problems[0] }
    if !problems.isEmpty { throw .bindingProblems(problems) }
  }

  private mutating func match(_ key: TensorKey, _ place: Int, _ way: Way) {
    matches[key] = Match(place: place, way: way)
    taken.insert(place)
  }

  // MARK: - What is said

  private mutating func bindStated() {
    for layer in layers {
      for spec in layer.specs {
        let key = TensorKey(layer: layer.name, role: spec.role)
        guard let name = description.stated[key]?.tensor else { continue }
        guard let place = byName[name.withoutSeparators] else {
          problems.append(
            NetconvError.noNamedTensor(name, among: tensors.map(\.name))
              .inTensor(spec.role.rawValue).inLayer(layer.name))
          continue
        }
        match(key, place, .stated)
      }
    }
  }

  private mutating func apply(_ rule: BindingRule) throws(NetconvError) {
    let named = rule.matches(among: tensors.map(\.name))
    let scoped = rule.matches(among: scopeOrder)
    guard !named.isEmpty || !scoped.isEmpty else {
      throw .ruleWithoutMatch(rule, among: tensors.map(\.name))
    }
    for (place, name) in named {
      guard let key = key(called: name) else {
        throw .ruleToNothing(rule, name, among: layers.map(\.name))
      }
      guard matches[key] == nil, !taken.contains(place) else {
        throw .boundTwice(rule, tensors[place].name, key)
      }
      match(key, place, .rule)
    }
    // A name in itself may be that of a layer, too.
    for (place, name) in scoped where named.isEmpty {
      guard let layer = layers.first(where: { $0.name.withoutSeparators == name.withoutSeparators })
      else {
        throw .ruleToNothing(rule, name, among: layers.map(\.name))
      }
      try bind(layer, scopeOrder[place], .rule, rule)
    }
  }

  /// The parameter that `conv1.kernel` means.
  private func key(called name: String) -> TensorKey? {
    for layer in layers where name.withoutSeparators.hasPrefix(layer.name.withoutSeparators + ".") {
      let word = name.dropFirst(layer.name.count + 1)
      let roles = Set(layer.specs.map(\.role))
      for spec in layer.specs
      where convention.words(for: spec, beside: roles).contains(String(word)) {
        return TensorKey(layer: layer.name, role: spec.role)
      }
    }
    return nil
  }

  private mutating func bind(
    _ layer: (name: String, specs: [ParameterSpec]), _ scope: String, _ way: Way,
    _ rule: BindingRule? = nil
  ) throws(NetconvError) {
    if let rule, isBound(layer), let spec = layer.specs.first, let place = scopes[scope]?.first {
      throw .boundTwice(
        rule, tensors[place].name, TensorKey(layer: layer.name, role: spec.role))
    }
    switch fit(layer, scope) {
    case .places(let places):
      for (role, place) in places {
        match(TensorKey(layer: layer.name, role: role), place, way)
      }
    case .problem(let problem): problems.append(problem.inLayer(layer.name))
    }
  }

  // MARK: - Names

  /// Binds what a layer lacks to the scope that all of its other tensors are in: the bias beside a kernel.
  private mutating func bindRest() {
    for layer in layers {
      let roles = Set(layer.specs.map(\.role))
      let bound = layer.specs.compactMap {
        matches[TensorKey(layer: layer.name, role: $0.role)]?.place
      }
      guard let scope = bound.first.map({ tensors[$0].scope }),
        bound.allSatisfy({ tensors[$0].scope == scope })
      else { continue }
      for spec in layer.specs {
        let key = TensorKey(layer: layer.name, role: spec.role)
        let words = convention.words(for: spec, beside: roles)
        guard matches[key] == nil,
          let place = words.compactMap({ place(of: $0, in: scope.withoutSeparators) }).first
        else { continue }
        do throws(NetconvError) {
          _ = try tensor(for: spec, in: layer.name, place)
          match(key, place, .name)
        } catch {
          problems.append(error.inTensor(tensors[place].name).inLayer(layer.name))
        }
      }
    }
  }

  private mutating func bindByName() {
    let prefix = NamedTensor.commonPrefix(of: scopeOrder)
    for layer in layers where !isBound(layer) {
      let name = layer.name.withoutSeparators
      guard
        let scope = [name, prefix + name].first(where: { scopes[$0] != nil })
          ?? composite(layer, [name, prefix + name])
      else { continue }
      do {
        try bind(layer, scope, .name)
      } catch {
        problems.append(error)
      }
    }
  }

  /// A scope that has no tensors itself, of a layer with parts: `sep` of `sep.depthwise.weight`.
  private func composite(
    _ layer: (name: String, specs: [ParameterSpec]), _ scopes: [String]
  ) -> String? {
    scopes.first { scope in
      if case .places = fit(layer, scope) { true } else { false }
    }
  }

  private func isBound(_ layer: (name: String, specs: [ParameterSpec])) -> Bool {
    layer.specs.contains { matches[TensorKey(layer: layer.name, role: $0.role)] != nil }
  }

  // MARK: - Layers and scopes

  /// Whether a scope has what a layer needs.
  enum Fit {
    case places([ParameterRole: Int])
    case problem(NetconvError)
  }

  /// The tensors of a scope for the parameters of a layer.
  func fit(_ layer: (name: String, specs: [ParameterSpec]), _ scope: String) -> Fit {
    let roles = Set(layer.specs.map(\.role))
    var places: [ParameterRole: Int] = [:]
    for spec in layer.specs {
      let words = convention.words(for: spec, beside: roles)
      guard
        let place = words.lazy.compactMap({ place(of: $0, in: scope) }).first(where: {
          !places.values.contains($0)
        })
      else {
        if isNeeded(spec, in: layer.name) {
          return .problem(
            .missingInScope(
              spec.role, words[0], scope, found: (scopes[scope] ?? []).map { tensors[$0].word }))
        }
        continue
      }
      do throws(NetconvError) {
        _ = try tensor(for: spec, in: layer.name, place)
      } catch {
        return .problem(error.inTensor(tensors[place].name))
      }
      places[spec.role] = place
    }
    for place in scopes[scope] ?? [] where !places.values.contains(place) && !taken.contains(place)
    {
      return .problem(.unusedInScope(tensors[place].name, roles: layer.specs.map(\.role)))
    }
    return .places(places)
  }

  private func place(of word: String, in scope: String) -> Int? {
    let own = scopes[scope]?.first { tensors[$0].word.withoutSeparators == word.withoutSeparators }
    guard let place = own ?? byName["\(scope).\(word)".withoutSeparators], !taken.contains(place)
    else { return nil }
    return place
  }

  /// Whether a layer cannot do without a parameter, or the description says that it has it.
  private func isNeeded(_ spec: ParameterSpec, in layer: String) -> Bool {
    description.roles[layer].map { $0.contains(spec.role) } ?? !spec.isOptional
  }

  /// Whether the description leaves it open that a layer has a parameter.
  private func isAllowed(_ spec: ParameterSpec, in layer: String) -> Bool {
    description.roles[layer]?.contains(spec.role) ?? true
  }

  /// A tensor as the parameter of a layer.
  ///
  /// - Throws: `badData` if its shape is another than the parameter has in the convention.
  func tensor(
    for spec: ParameterSpec, in layer: String, _ place: Int
  ) throws(NetconvError) -> Tensor {
    guard isAllowed(spec, in: layer) else { throw .notDescribed(spec.role) }
    let stated = description.stated[TensorKey(layer: layer, role: spec.role)]
    if let shape = stated?.shape, shape != tensors[place].shape {
      throw .otherShape(tensors[place].shape, stated: shape)
    }
    let stored = try tensors[place].stored(
      as: spec, convention, stated: stated?.layout.map { ($0, stated?.reversed ?? []) })
    do throws(NetconvError) {
      return try Tensor(layer: layer, spec: spec, stored: stored)
    } catch {
      guard let layout = stored.layout, let edit = spec.edit(for: tensors[place].shape, layout)
      else { throw error }
      var error = error
      error.text = "\(error.text); \(edit)"
      throw error
    }
  }

  // MARK: - Order

  /// Binds the layers that are left to the scopes that are left, if there is one way to do it that keeps the order.
  private mutating func bindByOrder() throws(NetconvError) {
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
    of open: [(name: String, specs: [ParameterSpec])]
  ) -> (table: OrderTable, scopes: [String]) {
    let free = scopeOrder.filter { scope in
      (scopes[scope] ?? []).contains { !taken.contains($0) }
    }
    // Of many layers and scopes few are unlike: each pair of kinds is looked at once.
    var layerKinds = Kinds<[AnyHashable]>()
    var scopeKinds = Kinds<[AnyHashable]>()
    let kindsOfScopes = free.map { scope in scopeKinds.index(of: kind(of: scope)) }
    var known: [Int: [Int: Bool]] = [:]
    let fits = open.map { layer in
      let kind = layerKinds.index(of: [layer.specs, description.roles[layer.name]])
      return zip(free, kindsOfScopes).map { scope, scopeKind in
        if let fits = known[kind]?[scopeKind] { return fits }
        let fits = if case .places = fit(layer, scope) { true } else { false }
        known[kind, default: [:]][scopeKind] = fits
        return fits
      }
    }
    return (OrderTable(fits), free)
  }

  /// What of a scope decides which layers it fits.
  private func kind(of scope: String) -> [AnyHashable] {
    let members = (scopes[scope] ?? []).filter { !taken.contains($0) }.map { tensors[$0] }
    let facts: [AnyHashable] = members.flatMap { [$0.word, $0.shape] as [AnyHashable] }
    // Parts of a layer are in scopes of their own, which only the name leads to.
    let hasParts = outerScopes.contains(scope)
    let hasOwnLayouts = members.contains {
      $0.tensor.spec.kind != .unknown && $0.tensor.spec.kind != .vector
    }
    return hasParts || hasOwnLayouts ? [scope] + facts : facts
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
        guard let match = matches[TensorKey(layer: layer.name, role: spec.role)],
          match.way == .order
        else { return nil }
        return match.place
      }
      if !places.isEmpty {
        groups[places.map { tensors[$0].shape }, default: []].append(layer.name)
      }
    }
    let names = Set(groups.values.filter { $0.count > 1 }.joined())
    return layers.map(\.name).filter(names.contains)
  }

  /// Whether the source states the layout of each kernel.
  var usesOwnLayouts: Bool {
    description.planned.tensors.allSatisfy { tensor in
      guard tensor.spec.kind != .vector, let match = matches[tensor.key] else { return true }
      return tensors[match.place].ownLayout(for: tensor.spec) != nil
    }
  }

  // MARK: - The result

  private mutating func checkComplete() {
    for layer in layers {
      for spec in layer.specs where isNeeded(spec, in: layer.name) {
        let key = TensorKey(layer: layer.name, role: spec.role)
        guard matches[key] == nil else { continue }
        problems.append(
          NetconvError.noTensor(spec, convention.layout(for: spec))
            .inTensor(spec.role.rawValue).inLayer(layer.name))
      }
    }
  }

  /// A layer that can do without parameters, and tensors that would be its own, are not left apart in silence.
  private mutating func checkForgotten() {
    for layer in layers where !isBound(layer) {
      let scope = scopeOrder.first { scope in
        guard scopes[scope]?.contains(where: { !taken.contains($0) }) == true else { return false }
        if case .places = fit(layer, scope) { return true } else { return false }
      }
      if let scope { problems.append(NetconvError.forgotten(scope).inLayer(layer.name)) }
    }
  }

  /// The model with the tensors that were found.
  ///
  /// - Throws: `badData` if one does not fit.
  func model() throws(NetconvError) -> Model {
    var parameters: [String: [ParameterRole: StoredTensor]] = [:]
    for layer in layers {
      for spec in layer.specs {
        guard let match = matches[TensorKey(layer: layer.name, role: spec.role)] else { continue }
        do {
          parameters[layer.name, default: [:]][spec.role] =
            try tensor(for: spec, in: layer.name, match.place).stored
        } catch {
          throw error.inTensor(tensors[match.place].name).inLayer(layer.name)
        }
      }
    }
    let definitions = description.definitions.map { definition in
      var definition = definition
      definition.parameters = parameters[definition.parameterOwner ?? definition.name] ?? [:]
      return definition
    }
    return try Model(
      name: description.name, inputs: description.inputs, layers: definitions,
      outputs: description.outputs)
  }
}
