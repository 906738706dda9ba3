import Documents
import ModelIR

/// The errors thrown when tensors are bound to a graph.
extension NetconvError {
  private static let listed = 12

  // MARK: - Rules and conventions

  static func unknownConvention(_ name: String, known: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "there is no convention \(quoted(name)); known are \(known.joined(separator: ", "))"
        + didYouMean(name, among: known))
  }

  static func wrongRule(_ text: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(text)) is not a rule; expected NAME=LAYER or NAME=LAYER.ROLE, such as "
        + "features.{n}.weight=conv{#}.kernel, where {n} is the same text on both sides and {#} counts the matches"
    )
  }

  static func ruleWithoutMatch(_ rule: BindingRule, among names: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "the rule \(quoted(rule.description)) matches no tensor of the source; it has \(SourceNote.list(names))"
    )
  }

  static func ruleToNothing(
    _ rule: BindingRule, _ name: String, among layers: [String]
  ) -> NetconvError {
    NetconvError(
      .usage,
      "the rule \(quoted(rule.description)) refers to \(quoted(name)), which the graph does not have; its "
        + "layers with parameters are \(SourceNote.list(layers))")
  }

  static func boundTwice(_ rule: BindingRule, _ tensor: String, _ key: TensorKey) -> NetconvError {
    NetconvError(
      .usage,
      "the rule \(quoted(rule.description)) makes \(quoted(tensor)) the \(key.role) of \(quoted(key.layer)), "
        + "but one of them is bound already")
  }

  // MARK: - Descriptions

  static var noDescription: NetconvError {
    NetconvError(
      .badData, "does not describe a network; expected \(quoted("layers")), a list of objects")
  }

  static func openQuestions(_ keys: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "\(keys.count) question\(keys.count == 1 ? " is" : "s are") open: put a value in the place of \"?\" at "
        + SourceNote.list(keys))
  }

  static func unknownDescribedRole(
    _ role: ParameterRole, known: [ParameterRole]
  ) -> NetconvError {
    NetconvError(
      .badData,
      "has no parameter \(quoted(role.rawValue)); it has \(SourceNote.list(known.map(\.rawValue)))"
        + didYouMean(role.rawValue, among: known.map(\.rawValue)))
  }

  static func notDescribed(_ role: ParameterRole) -> NetconvError {
    NetconvError(
      .badData,
      "the source has it, but the description's layer has no \(role); list it "
        + "among the layer's 'parameters', or list none of them, or correct the description")
  }

  static func nothingRecognized(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "no layer was recognised by names and shapes; the tensors are \(SourceNote.list(names))")
  }

  static func otherShape(_ shape: [Int], stated: [Int]) -> NetconvError {
    NetconvError(
      .badData, "has shape \(shape), and the description states \(stated)")
  }

  // MARK: - Tensors

  static func bindingProblems(
    _ problems: [NetconvError], parameters: Int, of all: Int
  ) -> NetconvError {
    NetconvError(
      .badData, text: "\(parameters) of \(all) parameters cannot be bound",
      list: problems.prefix(listed).flatMap(\.lines)
        + (problems.count > listed ? ["and \(problems.count - listed) more"] : []))
  }

  static func noNamedTensor(_ name: String, among names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "the source has no tensor \(quoted(name))" + didYouMean(path: name, among: names))
  }

  static func missingInScope(
    _ role: ParameterRole, _ word: String, _ scope: String, found: [String]
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(scope)) has no \(quoted(word)) for the \(role); it has \(SourceNote.list(found))")
  }

  static func unusedInScope(_ name: String, roles: [ParameterRole]) -> NetconvError {
    NetconvError(
      .badData,
      "the source has \(quoted(name)), which the layer does not use; its parameters are "
        + SourceNote.list(roles.map(\.rawValue)))
  }

  static func noLayoutInConvention(
    _ spec: ParameterSpec, _ convention: WeightConvention
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(convention.target.summary) has no layout for a parameter of this kind (\(spec.layout)); state one in "
        + "the description")
  }

  static func noTensor(_ spec: ParameterSpec, _ layout: Layout?) -> NetconvError {
    let shape = layout.flatMap { try? $0.shape(spec.sizes) }
    return NetconvError(
      .badData,
      "no tensor of the source is bound to it"
        + (shape.map { "; expected one of shape \($0) (\(layout ?? spec.layout))" } ?? ""))
  }

  static func noScope(
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

  static func severalScopes(_ first: String, _ second: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "both \(quoted(first)) and \(quoted(second)) fit it; choose with a rule of \(.bindings)")
  }

  static func forgotten(_ scope: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "has no parameters bound, though \(quoted(scope)) would fit it; choose its parameters with a rule of \(.bindings)"
    )
  }

  static func conventionNotTold(_ names: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "the source does not state whose layouts it has; name them with \(.convention): \(names.joined(separator: ", "))"
    )
  }

  static func severalConventions(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "the shapes fit the layouts of \(names.joined(separator: " and of ")), and the source does not say which "
        + "it has; name it with \(.convention)")
  }
}
