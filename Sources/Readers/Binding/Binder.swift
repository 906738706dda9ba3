import ModelIR

/// Finds the tensor for each parameter of a graph.
///
/// Explicit bindings come first: names in the description, then rules. The rest is bound by name, and finally by the
/// order of the layers if the shapes allow only one assignment.
struct Binder {
  /// The method by which a tensor was found.
  enum Way: String, CaseIterable {
    case stated = "by the names in the description"
    case rule = "by rules"
    case name = "by name"
    case order = "by order and shape"
  }

  /// A layer that owns parameters.
  struct Owner {
    let name: String
    var specs: [ParameterSpec]

    var roles: Set<ParameterRole> { Set(specs.map(\.role)) }

    func key(of spec: ParameterSpec) -> TensorKey { TensorKey(layer: name, role: spec.role) }
  }

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
  /// The parameters that ``problems`` report.
  private var unbound: Set<TensorKey> = []
  /// The layers that own parameters, in the order of the graph.
  let layers: [Owner]
  private let byName: [String: Int]
  /// The indices of tensors by scope, and the scopes in source order.
  let scopes: [String: [Int]]
  let scopeOrder: [String]

  init(_ description: GraphDescription, _ tensors: [NamedTensor], _ convention: WeightConvention) {
    self.description = description
    self.tensors = tensors
    self.convention = convention
    var layers: [Owner] = []
    var places: [String: Int] = [:]
    for tensor in description.planned.tensors {
      if let place = places[tensor.layer] {
        layers[place].specs.append(tensor.spec)
      } else {
        places[tensor.layer] = layers.count
        layers.append(Owner(name: tensor.layer, specs: [tensor.spec]))
      }
    }
    self.layers = layers
    byName = NamedTensor.places(of: tensors)
    (scopes, scopeOrder) = NamedTensor.scopes(of: tensors)
  }

  /// Binds all parameters.
  ///
  /// - Throws: `usage` if a rule is invalid; `badData` that lists every parameter whose tensor is missing or does not
  ///   fit.
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
    guard !problems.isEmpty else { return }
    throw .bindingProblems(
      problems, parameters: unbound.count, of: layers.reduce(0) { $0 + $1.specs.count })
  }

  /// Records an error for a parameter, unless the parameter already has one.
  private mutating func add(_ error: NetconvError, _ key: TensorKey) {
    if unbound.insert(key).inserted { problems.append(error) }
  }

  /// Records an error for a layer without tensors.
  private mutating func add(_ error: NetconvError, _ layer: Owner) {
    let needed = layer.specs.filter { isNeeded($0, in: layer.name) }
    let keys = (needed.isEmpty ? layer.specs : needed).map { layer.key(of: $0) }
    guard unbound.isDisjoint(with: keys) else { return }
    unbound.formUnion(keys)
    problems.append(error.inLayer(layer.name))
  }

  private mutating func match(_ key: TensorKey, _ place: Int, _ way: Way) {
    matches[key] = Match(place: place, way: way)
    taken.insert(place)
  }

  // MARK: - Stated names and rules

  private mutating func bindStated() {
    for layer in layers {
      for spec in layer.specs {
        let key = layer.key(of: spec)
        guard let name = description.stated[key]?.tensor else { continue }
        guard let place = byName[name.withoutSeparators] else {
          add(
            NetconvError.noNamedTensor(name, among: tensors.map(\.name))
              .inTensor(spec.role.rawValue).inLayer(layer.name), key)
          continue
        }
        match(key, place, .stated)
      }
    }
  }

  private mutating func apply(_ rule: BindingRule) throws(NetconvError) {
    switch try rule.matches(tensors, scopeOrder) {
    case .tensors(let matches):
      for (place, name) in matches {
        guard let key = key(called: name) else {
          throw .ruleToNothing(rule, name, among: layers.map(\.name))
        }
        guard self.matches[key] == nil, !taken.contains(place) else {
          throw .boundTwice(rule, tensors[place].name, key)
        }
        match(key, place, .rule)
      }
    case .scopes(let matches):
      for (place, name) in matches {
        let wanted = name.withoutSeparators
        guard let layer = layers.first(where: { $0.name.withoutSeparators == wanted }) else {
          throw .ruleToNothing(rule, name, among: layers.map(\.name))
        }
        try bind(layer, scopeOrder[place], .rule, rule)
      }
    }
  }

  /// Returns the parameter that a name such as `conv1.kernel` denotes.
  private func key(called name: String) -> TensorKey? {
    for layer in layers where name.withoutSeparators.hasPrefix(layer.name.withoutSeparators + ".") {
      let word = name.dropFirst(layer.name.count + 1)
      for spec in layer.specs
      where convention.words(for: spec, beside: layer.roles).contains(String(word)) {
        return layer.key(of: spec)
      }
    }
    return nil
  }

  mutating func bind(
    _ layer: Owner, _ scope: String, _ way: Way,
    _ rule: BindingRule? = nil
  ) throws(NetconvError) {
    if let rule, isBound(layer), let spec = layer.specs.first, let place = scopes[scope]?.first {
      throw .boundTwice(rule, tensors[place].name, layer.key(of: spec))
    }
    switch fit(layer, scope) {
    case .places(let places):
      for (role, place) in places {
        match(TensorKey(layer: layer.name, role: role), place, way)
      }
    case .problem(let problem): add(problem, layer)
    }
  }

  // MARK: - Names

  /// Binds the remaining parameters of a layer to the scope of its other tensors: the bias in the scope of the
  /// kernel.
  private mutating func bindRest() {
    for layer in layers {
      let bound = layer.specs.compactMap { matches[layer.key(of: $0)]?.place }
      guard let scope = bound.first.map({ tensors[$0].scope }),
        bound.allSatisfy({ tensors[$0].scope == scope })
      else { continue }
      for spec in layer.specs {
        let key = layer.key(of: spec)
        let words = convention.words(for: spec, beside: layer.roles)
        guard matches[key] == nil,
          let place = words.compactMap({ place(of: $0, in: scope.withoutSeparators) }).first
        else { continue }
        do throws(NetconvError) {
          _ = try tensor(for: spec, in: layer.name, place)
          match(key, place, .name)
        } catch {
          add(error.inTensor(tensors[place].name).inLayer(layer.name), key)
        }
      }
    }
  }

  private mutating func bindByName() {
    let prefix = NamedTensor.commonPrefix(of: scopeOrder)
    for layer in layers where !isBound(layer) {
      let name = layer.name.withoutSeparators
      // A composite layer has no tensors of its own: `sep` of `sep.depthwise.weight`.
      let candidates = [name, prefix + name]
      guard
        let scope = candidates.first(where: { scopes[$0] != nil })
          ?? candidates.first(where: { fits(layer, $0) })
      else { continue }
      do {
        try bind(layer, scope, .name)
      } catch {
        add(error, layer)
      }
    }
  }

  func isBound(_ layer: Owner) -> Bool {
    layer.specs.contains { matches[layer.key(of: $0)] != nil }
  }

  // MARK: - Layers and scopes

  /// The result of matching a scope with a layer.
  private enum Fit {
    case places([ParameterRole: Int])
    case problem(NetconvError)
  }

  /// Returns true if the tensors of a scope are exactly those of a layer.
  func fits(_ layer: Owner, _ scope: String) -> Bool {
    if case .places = fit(layer, scope) { true } else { false }
  }

  /// Returns true if a scope has unbound tensors.
  func hasTensorsLeft(_ scope: String) -> Bool {
    (scopes[scope] ?? []).contains { !taken.contains($0) }
  }

  /// Matches the tensors of a scope with the parameters of a layer.
  private func fit(_ layer: Owner, _ scope: String) -> Fit {
    let roles = layer.roles
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

  /// Returns true if a layer requires a parameter, or the description states that it has one.
  func isNeeded(_ spec: ParameterSpec, in layer: String) -> Bool {
    description.roles[layer].map { $0.contains(spec.role) } ?? !spec.isOptional
  }

  /// Returns true unless the description excludes the parameter.
  private func isAllowed(_ spec: ParameterSpec, in layer: String) -> Bool {
    description.roles[layer]?.contains(spec.role) ?? true
  }

  /// Returns a tensor as a parameter of a layer.
  ///
  /// - Throws: `badData` if its shape differs from the parameter's shape in the convention.
  private func tensor(
    for spec: ParameterSpec, in layer: String, _ place: Int
  ) throws(NetconvError) -> Tensor {
    guard isAllowed(spec, in: layer) else { throw .notDescribed(spec.role) }
    let stated = description.stated[TensorKey(layer: layer, role: spec.role)]
    if let shape = stated?.shape, shape != tensors[place].shape {
      throw .otherShape(tensors[place].shape, stated: shape)
    }
    let stored = try tensors[place].stored(
      as: spec, convention, stated: stated?.layout.map { ($0, stated?.reversed ?? []) })
    return try Tensor(
      layer: layer, spec: spec, stored: stored,
      wayOn: stored.layout.flatMap { spec.edit(for: tensors[place].shape, $0) })
  }

  // MARK: - The result

  /// True if the source states the layout of each kernel.
  var usesOwnLayouts: Bool {
    description.planned.tensors.allSatisfy { tensor in
      guard tensor.spec.kind != .vector, let match = matches[tensor.key] else { return true }
      return tensors[match.place].ownLayout(for: tensor.spec) != nil
    }
  }

  private mutating func checkComplete() {
    for layer in layers {
      for spec in layer.specs where isNeeded(spec, in: layer.name) {
        let key = layer.key(of: spec)
        guard matches[key] == nil else { continue }
        add(
          NetconvError.noTensor(spec, convention.layout(for: spec))
            .inTensor(spec.role.rawValue).inLayer(layer.name), key)
      }
    }
  }

  /// Reports layers that were left without their optional parameters although matching tensors remain.
  private mutating func checkForgotten() {
    for layer in layers where !isBound(layer) {
      if let scope = scopeOrder.first(where: { hasTensorsLeft($0) && fits(layer, $0) }) {
        add(NetconvError.forgotten(scope), layer)
      }
    }
  }

  /// Returns the model with the bound tensors.
  ///
  /// - Throws: `badData` if a tensor does not fit.
  func model() throws(NetconvError) -> Model {
    var parameters: [String: [ParameterRole: StoredTensor]] = [:]
    for layer in layers {
      for spec in layer.specs {
        guard let match = matches[layer.key(of: spec)] else { continue }
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
