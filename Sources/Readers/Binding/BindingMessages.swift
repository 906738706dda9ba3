import Documents
import ModelIR

/// The errors thrown when tensors are bound to a graph.
extension NetconvError {
  private static let listed = 12

  // MARK: - Rules and conventions

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

  static func notDescribed(_ role: ParameterRole) -> NetconvError {
    NetconvError(
      .badData,
      "the source has it, but the description's layer has no \(role); list it "
        + "among the layer's 'parameters', or list none of them, or correct the description")
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

  static func noTensor(_ spec: ParameterSpec, _ layout: Layout?) -> NetconvError {
    let shape = layout.flatMap { try? $0.shape(spec.sizes) }
    return NetconvError(
      .badData,
      "no tensor of the source is bound to it"
        + (shape.map { "; expected one of shape \($0) (\(layout ?? spec.layout))" } ?? ""))
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
}
