import ModelIR

/// Weights without a graph, for layers that request their parameters one by one, as those of the model language do.
///
/// The tensors of the layer `conv1` are `conv1.weight` or `conv1/kernel`, after any prefix that all names share, or
/// the tensors that rules name. Without a graph, nothing is bound by order and shape.
public struct NamedWeights: Sendable {
  private let tensors: [NamedTensor]
  private let convention: WeightConvention
  private let places: [String: Int]
  private let prefix: String
  /// The tensors that rules bind to parameters by the parameters' names, and scopes by their layers.
  private var bound: [String: Int] = [:]
  private var boundScopes: [String: String] = [:]

  /// Creates the weights of a source.
  ///
  /// - Parameters:
  ///   - rules: Rules such as `features.{n}.weight=conv{#}.kernel`.
  ///   - name: The convention of the tensors; `nil` to infer it from the source.
  /// - Throws: `usage` if a rule is invalid, or if the convention cannot be inferred.
  public init(
    _ source: ReadSource, bindings rules: [String] = [], convention name: String? = nil
  ) throws(NetconvError) {
    let tensors = NamedTensor.all(in: source.network.weights)
    let conventions = try source.conventions(of: tensors, name)
    guard conventions.count == 1 else {
      throw .conventionNotTold(conventions.map(\.target.name))
    }
    convention = conventions[0]
    self.tensors = tensors
    places = NamedTensor.places(of: tensors)
    let scopes = NamedTensor.scopes(of: tensors).order
    prefix = NamedTensor.commonPrefix(of: scopes)
    for rule in try rules.map({ text throws(NetconvError) in try BindingRule(text) }) {
      switch try rule.matches(tensors, scopes) {
      case .tensors(let matches):
        for (place, name) in matches { bound[name.withoutSeparators] = place }
      case .scopes(let matches):
        for (place, name) in matches { boundScopes[name.withoutSeparators] = scopes[place] }
      }
    }
  }

  /// Returns the tensor of a parameter; `nil` if there is none.
  ///
  /// - Throws: `badData` if the convention has no layout for the parameter.
  public func stored(
    _ spec: ParameterSpec, of layer: String
  ) throws(NetconvError) -> StoredTensor? {
    let layer = layer.withoutSeparators
    let scopes = boundScopes[layer].map { [$0] } ?? [layer, prefix + layer]
    for word in words(for: spec).map(\.withoutSeparators) {
      let place =
        bound["\(layer).\(word)"]
        ?? scopes.lazy.compactMap({ places["\($0).\(word)"] }).first
      if let place { return try tensors[place].stored(as: spec, convention) }
    }
    return nil
  }

  /// Returns the possible names of a parameter.
  ///
  /// The other parameters of its layer are unknown, so all names are candidates, starting with those that only layers
  /// of its kind use.
  private func words(for spec: ParameterSpec) -> [String] {
    let layers: [Set<ParameterRole>] =
      spec.cell == nil ? [[.pointwise], []] : [[.recurrent]]
    return layers.flatMap { convention.words(for: spec, beside: $0) }
  }
}
