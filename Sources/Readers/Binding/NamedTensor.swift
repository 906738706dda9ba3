import ModelIR

/// A tensor of a source without a graph, with its name in the source.
struct NamedTensor: Sendable {
  /// The full name: `features.0.weight`.
  let name: String
  /// The name of the layer in the source: `features.0`.
  let scope: String
  /// The name of the tensor within its layer: `weight`.
  let word: String
  let tensor: Tensor

  /// Returns the layout that the source itself states, as files written by netconv do; `nil` if it states none.
  func ownLayout(for spec: ParameterSpec) -> Layout? {
    switch tensor.spec.kind {
    case .unknown, .vector: return nil
    default:
      return Set(tensor.storedLayout.axes) == Set(spec.layout.axes) ? tensor.storedLayout : nil
    }
  }

  /// The stored shape.
  var shape: [Int] { tensor.storedShape }

  private init(name: String, scope: String, word: String, tensor: Tensor) {
    (self.name, self.scope, self.word, self.tensor) = (name, scope, word, tensor)
  }

  /// Returns the values as those of a parameter.
  ///
  /// - Parameters:
  ///   - convention: The convention of the source, used where it does not state its own layouts.
  ///   - stated: The layout and the reversed axes, if they are given explicitly.
  /// - Throws: `badData` if the convention has no layout for the parameter.
  func stored(
    as spec: ParameterSpec, _ convention: WeightConvention,
    stated: (layout: Layout, reversed: Set<Axis>)? = nil
  ) throws(NetconvError) -> StoredTensor {
    let own = stated == nil ? ownLayout(for: spec) : nil
    guard let layout = stated?.layout ?? own ?? convention.layout(for: spec) else {
      throw .noLayoutInConvention(spec, convention)
    }
    var stored = tensor.stored
    stored.shape = shape
    stored.layout = layout
    if own == nil {
      stored.reversed = stated?.reversed ?? convention.target.reversedAxes(of: spec)
    }
    stored.path = name
    return stored
  }

  /// Returns the index of each tensor by its normalised name.
  static func places(of tensors: [NamedTensor]) -> [String: Int] {
    Dictionary(
      tensors.indices.map { (tensors[$0].name.withoutSeparators, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the indices of tensors by scope, and the scopes in source order.
  static func scopes(of tensors: [NamedTensor]) -> (places: [String: [Int]], order: [String]) {
    let scopes = tensors.map(\.scope.withoutSeparators)
    var seen: Set<String> = []
    return (
      Dictionary(grouping: tensors.indices) { scopes[$0] },
      scopes.filter { seen.insert($0).inserted }
    )
  }

  /// Returns the longest common prefix of all scopes, such as `module.`.
  static func commonPrefix(of scopes: [String]) -> String {
    guard let first = scopes.first else { return "" }
    var parts = first.split(separator: ".").dropLast()
    while !parts.isEmpty {
      let prefix = parts.joined(separator: ".") + "."
      if scopes.allSatisfy({ $0.hasPrefix(prefix) }) { return prefix }
      parts = parts.dropLast()
    }
    return ""
  }

  /// All tensors of the weights, in source order.
  static func all(in weights: Weights) -> [NamedTensor] {
    weights.layers.flatMap { layer in
      layer.parameters.map { tensor in
        // An array inside an archive has the archive's path as a prefix.
        let whole = tensor.stored.path
        let path =
          whole.split(separator: ":").first { $0.hasPrefix(layer.name) }.map(String.init) ?? whole
        let rest = path.dropFirst(layer.name.count)
        if path.hasPrefix(layer.name), let separator = rest.first, "./".contains(separator) {
          return stacked(
            NamedTensor(
              name: path, scope: layer.name, word: String(rest.dropFirst()), tensor: tensor))
        }
        let role = tensor.spec.role.rawValue
        if path == layer.name, layer.parameters.count == 1 {
          return NamedTensor(name: path, scope: path, word: role, tensor: tensor)
        }
        // In a file that is a single layer, names have no scope.
        guard path.contains(where: { "./".contains($0) }) else {
          return stacked(
            NamedTensor(name: path, scope: layer.name, word: path, tensor: tensor))
        }
        return NamedTensor(
          name: "\(layer.name)/\(role)", scope: layer.name, word: role, tensor: tensor)
      }
    }
  }

  /// Moves each layer and direction of a stacked recurrent layer to its own scope: `lstm.l1_reverse`.
  ///
  /// Source: torch/nn/modules/rnn.py, `RNNBase`: `weight_ih_l{layer}{suffix}`.
  private static func stacked(_ tensor: NamedTensor) -> NamedTensor {
    guard let match = tensor.word.wholeMatch(of: #/((?:weight|bias)_[ih]h_l)(\d+)(_reverse)?/#),
      match.output.2 != "0" || match.output.3 != nil
    else { return tensor }
    return NamedTensor(
      name: tensor.name, scope: "\(tensor.scope).l\(match.output.2)\(match.output.3 ?? "")",
      word: match.output.1 + "0", tensor: tensor.tensor)
  }
}

extension String {
  /// The name for comparison, with dots as the only separator.
  var withoutSeparators: String { replacing("/", with: ".") }

  /// Returns true if this name sorts before another in natural order, which compares digits as numbers.
  func precedesNaturally(_ other: String) -> Bool {
    var (own, its) = (self[...], other[...])
    while let first = own.first, let second = its.first {
      if first.isASCIIDigit, second.isASCIIDigit {
        let (number, otherNumber) = (
          own.prefix(while: \.isASCIIDigit), its.prefix(while: \.isASCIIDigit)
        )
        let (a, b) = (number.drop { $0 == "0" }, otherNumber.drop { $0 == "0" })
        if a != b { return a.count == b.count ? a < b : a.count < b.count }
        own = own[number.endIndex...]
        its = its[otherNumber.endIndex...]
      } else {
        if first != second { return first < second }
        own = own.dropFirst()
        its = its.dropFirst()
      }
    }
    return own.isEmpty && !its.isEmpty
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

extension NetconvError {
  fileprivate static func noLayoutInConvention(
    _ spec: ParameterSpec, _ convention: WeightConvention
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(convention.target.summary) has no layout for a parameter of this kind (\(spec.layout)); state one in "
        + "the description")
  }
}
