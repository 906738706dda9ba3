import ModelIR

/// A tensor of a source without a graph, by the name that the source gives it.
struct NamedTensor: Sendable {
  /// The whole name: `features.0.weight`.
  let name: String
  /// What the source takes for a layer: `features.0`.
  let scope: String
  /// What the tensor is called in it: `weight`.
  let word: String
  /// Where the values are.
  let tensor: Tensor

  /// How it lies, where the source itself says it, as files do that netconv has written; else `nil`.
  func ownLayout(for spec: ParameterSpec) -> Layout? {
    switch tensor.spec.kind {
    case .unknown, .vector: return nil
    default:
      return Set(tensor.storedLayout.axes) == Set(spec.layout.axes) ? tensor.storedLayout : nil
    }
  }

  /// The shape as it is stored.
  var shape: [Int] { tensor.storedShape }

  private init(name: String, scope: String, word: String, tensor: Tensor) {
    (self.name, self.scope, self.word, self.tensor) = (name, scope, word, tensor)
  }

  /// The values as those of a parameter.
  ///
  /// - Parameters:
  ///   - convention: in whose layouts the source is, where it does not say its own.
  ///   - stated: how the values lie, and reversed along which axes, where somebody says it.
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

  /// The places of tensors by their names, for comparison.
  static func places(of tensors: [NamedTensor]) -> [String: Int] {
    Dictionary(
      tensors.indices.map { (tensors[$0].name.withoutSeparators, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The places of tensors by scope, and the scopes in the order of the source.
  static func scopes(of tensors: [NamedTensor]) -> (places: [String: [Int]], order: [String]) {
    let scopes = tensors.map(\.scope.withoutSeparators)
    var seen: Set<String> = []
    return (
      Dictionary(grouping: tensors.indices) { scopes[$0] },
      scopes.filter { seen.insert($0).inserted }
    )
  }

  /// What all scopes begin with, such as `module.`.
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

  /// The tensors of weights, in the order of the source.
  static func all(in weights: Weights) -> [NamedTensor] {
    weights.layers.flatMap { layer in
      layer.parameters.map { tensor in
        // A container of several tensors is named in front of them.
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
        // Of a file that is one layer, names have no scope.
        guard path.contains(where: { "./".contains($0) }) else {
          return stacked(
            NamedTensor(name: path, scope: layer.name, word: path, tensor: tensor))
        }
        return NamedTensor(
          name: "\(layer.name)/\(role)", scope: layer.name, word: role, tensor: tensor)
      }
    }
  }

  /// Of a stack of recurrent layers, each layer and direction is a scope of its own: `lstm.l1_reverse`.
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
  /// The same name for comparison, whatever separates its parts.
  var withoutSeparators: String { replacing("/", with: ".") }

  /// Whether it stands before another one where numbers in them count as numbers.
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
