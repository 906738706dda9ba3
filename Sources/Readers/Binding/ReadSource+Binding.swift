import Files
import ModelIR
import Operators
import Transforms

extension ReadSource {
  /// Returns the source with the graph at a path, and the weights bound to it.
  ///
  /// - Throws: `badData` if the graph is invalid or a parameter has no tensor; `usage` if a rule is invalid, or the
  ///   convention of the source is ambiguous.
  func bound(
    to architecture: Architecture, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let rules = try architecture.bindings.map { text throws(NetconvError) in try BindingRule(text) }
    let path = architecture.path
    let description = try GraphDescription(path: path, replacing: options.replacements)
    let tensors = NamedTensor.all(in: network.weights)
    let candidates = try conventions(of: tensors, architecture.convention)
    let binder = try Binder.fitting(description, tensors, candidates, rules)
    var source = self
    source.network = .model(try binder.model())
    source.problem = nil
    source.misfits = []
    source.usesNamedArchitecture = true
    if let file = description.file { source.documents.append(file) }
    source.notes += [
      SourceNote.bound(binder, to: path), SourceNote.unbound(binder),
      SourceNote.toldApartByOrder(binder.toldApartByOrder), SourceNote.epsilons(binder),
      SourceNote.paddings(binder),
    ].compactMap(\.self)
    return source
  }

  /// The target whose layouts tensors of unknown kinds have, as far as the format or the framework determines it.
  package var usualTarget: Target? { usualConvention?.target }

  private var usualConvention: WeightConvention? {
    // The layouts of Keras and TensorFlow files, with or without a framework in their metadata.
    if format.hasPrefix("keras") || format.hasPrefix("tensorflow") { return .tensorflow }
    guard let maker = framework?.prefix(while: { $0 != " " }) else { return nil }
    return WeightConvention.all.first { $0.frameworks.contains(String(maker)) }
  }

  /// Returns the possible conventions of the weights: the requested one, the convention of the source, or those that
  /// the names allow.
  func conventions(
    of tensors: [NamedTensor], _ name: String?
  ) throws(NetconvError) -> [WeightConvention] {
    if let name { return [try .named(name)] }
    if let usualConvention { return [usualConvention] }
    let words = Set(tensors.map(\.word))
    let ofTensorFlow: Set = [
      "kernel", "gamma", "moving_mean", "depthwise_kernel", "embeddings", "weights", "biases",
    ]
    if !words.isDisjoint(with: ofTensorFlow) {
      return [.tensorflow]
    }
    // Only PyTorch stores a batch counter. Arrays with unfamiliar names may have any layout.
    if words.contains("num_batches_tracked") { return [.torch] }
    return words.contains("weight") || words.contains { $0.hasPrefix("weight_") }
      ? [.torch, .mlx] : WeightConvention.all
  }
}

extension Binder {
  /// Returns the binding in the convention whose shapes fit.
  ///
  /// - Throws: The error of the first convention if none fits; `badData` if several fit and would read different
  ///   values.
  static func fitting(
    _ description: GraphDescription, _ tensors: [NamedTensor], _ conventions: [WeightConvention],
    _ rules: [BindingRule]
  ) throws(NetconvError) -> Binder {
    var fitting: [Binder] = []
    var failure: NetconvError?
    for convention in conventions {
      var binder = Binder(description, tensors, convention)
      do {
        try binder.bind(rules)
        fitting.append(binder)
      } catch {
        failure = failure ?? error
      }
    }
    guard let first = fitting.first else { throw failure ?? .noDescription }
    guard fitting.count > 1 else { return first }
    let views = try fitting.map { binder throws(NetconvError) in
      try binder.model().tensors.map {
        [$0.storedLayout.description, "\($0.reversed)", $0.stored.path]
      }
    }
    guard views.allSatisfy({ $0 == views[0] }) else {
      throw .severalConventions(fitting.map(\.convention.target.summary))
    }
    return first
  }
}

extension SourceNote {
  /// The maximum number of lines shown.
  private static let shown = 40

  /// Returns one line per element, up to the maximum.
  private static func notTooMany<Thing>(
    _ things: [Thing], line: (Thing) -> String
  ) -> [String] {
    let lines = things.prefix(shown).map(line)
    return things.count > shown ? lines + ["and \(things.count - shown) more"] : lines
  }

  /// Lists the tensor of each parameter.
  fileprivate static func bound(_ binder: Binder, to path: String) -> SourceNote {
    let parameters = binder.description.planned.tensors.compactMap { tensor in
      binder.matches[tensor.key].map { (tensor.key, $0) }
    }
    let counts = Binder.Way.allCases.compactMap { way in
      let count = parameters.count { $0.1.way == way }
      return count == 0 ? nil : "\(count) \(way.rawValue)"
    }
    let lines = notTooMany(parameters) { key, match in
      let tensor = binder.tensors[match.place]
      return "\(key.layer) \(key.role): \(tensor.name) \(tensor.shape)"
    }
    return SourceNote(
      text:
        "\(parameters.count) \(parameters.count == 1 ? "tensor is" : "tensors are") bound to the graph of "
        + "\(quoted(Directory.lastComponent(of: path))): "
        + counts.joined(separator: ", ") + "; "
        + (binder.usesOwnLayouts
          ? "their layouts are stated in the source"
          : "their layouts are those of \(binder.convention.target.name)"),
      details: lines, isWarning: false, isDecision: true)
  }

  /// Reports tensors that belong to no layer; `nil` if there are none.
  fileprivate static func unbound(_ binder: Binder) -> SourceNote? {
    let bound = Set(binder.matches.values.map(\.place))
    let rest = binder.tensors.indices.filter { !bound.contains($0) }.map { binder.tensors[$0] }
    guard !rest.isEmpty else { return nil }
    return SourceNote(
      text:
        "\(rest.count) tensor\(rest.count == 1 ? "" : "s") of the source \(rest.count == 1 ? "belongs" : "belong") "
        + "to no layer of the graph",
      details: notTooMany(rest) { "\($0.name) \($0.shape)" }, isWarning: true)
  }

  /// Reports layers that are identified by order alone; `nil` if there are none.
  fileprivate static func toldApartByOrder(_ layers: [String]) -> SourceNote? {
    guard !layers.isEmpty else { return nil }
    return SourceNote(
      text:
        "layers of the same shapes are distinguished only by their order in the source; compare outputs, "
        + "or distinguish them with a rule",
      details: layers.map { quoted($0) }, isWarning: true)
  }

  /// Reports layers whose padding the weights' framework does not support; `nil` if there are none.
  fileprivate static func paddings(_ binder: Binder) -> SourceNote? {
    guard !binder.convention.padsUnequally else { return nil }
    let others = binder.description.planned.layers.filter { layer in
      (layer.operation as? any WindowedOperator)?.padsUnequally(layer.inputShapes[0]) ?? false
    }
    guard !others.isEmpty else { return nil }
    return SourceNote(
      text:
        "according to the description, layers pad one end more than the other ('same' with longer steps than one), as "
        + "\(binder.convention.target.name) does not; add a ZeroPadding layer before them, and write 'valid'",
      details: others.map { quoted($0.name) }, isWarning: true)
  }

  /// Reports normalisations whose epsilon is not the default of the weights' framework; `nil` if there are none.
  fileprivate static func epsilons(_ binder: Binder) -> SourceNote? {
    // Weights that netconv converted for a framework were not trained with it.
    guard !binder.usesOwnLayouts else { return nil }
    let usual = binder.convention.usualEpsilon
    let others = binder.description.definitions.compactMap { layer -> String? in
      guard let operation = layer.operation as? any VarianceOperator, operation.epsilon != usual,
        [1e-3, 1e-5].contains(operation.epsilon)
      else { return nil }
      return layer.name
    }
    guard !others.isEmpty else { return nil }
    return SourceNote(
      text:
        "the description's epsilon differs from the default of \(binder.convention.target.name) "
        + "(\(usual)); check that the network was trained with it",
      details: others.map { quoted($0) }, isWarning: true)
  }
}

extension NetconvError {
  fileprivate static var noDescription: NetconvError {
    NetconvError(
      .badData, "does not describe a network; expected \(quoted("layers")), a list of objects")
  }

  fileprivate static func severalConventions(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "the shapes fit the layouts of \(names.joined(separator: " and of ")), and the source does not say which "
        + "it has; name it with \(.convention)")
  }
}
