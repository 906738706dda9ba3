import ModelIR

/// The order of layers in a source that sorts them by name, inferred from shapes and from numbers in names.
struct ScaffoldOrder {
  /// The evidence for the order.
  enum Basis {
    /// The source lists layers in network order.
    case source
    /// Only one order has matching shapes and increasing numbers.
    case shapes
    /// Several orders have matching shapes; names suggest this one.
    case names
    /// No order has matching shapes: the network has branches, or some layers are not recognised.
    case nothing
  }

  /// A layer that is not yet in the chain.
  private struct Candidate {
    /// Its index in the source.
    let place: Int
    /// All but the last component of the name.
    let parent: String
    /// The last component without its number.
    let stem: String
    /// The number at the end of the last component.
    let number: Int?
    let name: String
    let layer: ScaffoldLayer?
  }

  /// The indices in the source, in the inferred order.
  private(set) var places: [Int]
  private(set) var basis: Basis

  private let candidates: [Candidate]
  /// The remaining steps of the search; enough for networks that are a chain.
  private var budget = 20_000
  private var found: [[Int]] = []

  /// Infers the order of layers that are named by their scopes.
  ///
  /// - Parameters:
  ///   - layers: The recognised layer of each scope, in source order.
  ///   - isKept: True if the source states the order.
  init(_ layers: [(scope: String, layer: ScaffoldLayer?)], isKept: Bool) {
    places = Array(layers.indices)
    basis = .source
    candidates = layers.enumerated().map { place, entry in
      let parts = entry.scope.withoutSeparators.split(separator: ".")
      let last = parts.last.map(String.init) ?? entry.scope
      let (stem, number) = Self.numbered(last)
      return Candidate(
        place: place, parent: parts.dropLast().joined(separator: "."),
        stem: stem, number: number, name: entry.scope, layer: entry.layer)
    }
    guard !isKept, layers.count > 1 else { return }
    search([], Set(candidates.indices), channels: nil)
    if let first = found.first {
      places = first
      basis = found.count == 1 && budget > 0 ? .shapes : .names
    } else {
      places = byNames()
      basis = .nothing
    }
  }

  /// Searches for two chains of all layers.
  private mutating func search(_ chain: [Int], _ rest: Set<Int>, channels: Int?) {
    guard found.count < 2, budget > 0 else { return }
    budget -= 1
    guard !rest.isEmpty else { return found.append(chain) }
    let fitting = rest.filter { fits($0, behind: chain.last, rest, channels) }
    for next in ordered(fitting, behind: chain.last) {
      search(
        chain + [next], rest.subtracting([next]),
        channels: candidates[next].layer?.outputChannels ?? channels)
    }
  }

  /// Returns the layers in the order of their names: component by component, and by numbers where there are any.
  private func byNames() -> [Int] {
    let keys = candidates.map(nameKeys)
    return candidates.indices.sorted { first, second in
      for (key, other) in zip(keys[first], keys[second]) where key != other {
        return key.precedes(other)
      }
      return keys[first].count == keys[second].count
        ? first < second : keys[first].count < keys[second].count
    }
  }

  /// The sort key of a name's component, for the layers with this prefix.
  private struct NameKey: Equatable {
    /// True if only dense layers have this prefix, as in the head of a network with other layers.
    let isHead: Bool
    /// Greater than all numbers if there is none.
    let number: Int
    let isNested: Bool
    let isNormalization: Bool
    let stem: String

    func precedes(_ other: NameKey) -> Bool {
      if isHead != other.isHead { return other.isHead }
      if number != other.number { return number < other.number }
      if isNested != other.isNested { return other.isNested }
      if isNormalization != other.isNormalization { return other.isNormalization }
      return stem < other.stem
    }
  }

  private func nameKeys(_ candidate: Candidate) -> [NameKey] {
    let parts = candidate.name.withoutSeparators.split(separator: ".").map(String.init)
    return parts.indices.map { index in
      let prefix = parts[...index].joined(separator: ".")
      let below = candidates.filter {
        let name = $0.name.withoutSeparators
        return name == prefix || name.hasPrefix(prefix + ".")
      }
      let hasOthers = candidates.contains { $0.layer?.isConvolution ?? false }
      let (stem, number) = Self.numbered(parts[index])
      return NameKey(
        isHead: hasOthers && below.allSatisfy { $0.layer?.isDense ?? false },
        number: number ?? .max, isNested: index < parts.count - 1,
        isNormalization: index == parts.count - 1 && candidate.layer?.isNormalization ?? false,
        stem: stem)
    }
  }

  /// Splits a word from the number at its end.
  private static func numbered(_ part: String) -> (stem: String, number: Int?) {
    let digits = String(part.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
    return (String(part.dropLast(digits.count)), Int(digits))
  }

  /// Returns true if a layer can follow another.
  private func fits(_ index: Int, behind last: Int?, _ rest: Set<Int>, _ channels: Int?) -> Bool {
    let candidate = candidates[index]
    // Numbers of layers with the same name increase.
    let isLater = rest.contains { other in
      candidates[other].parent == candidate.parent && candidates[other].stem == candidate.stem
        && (candidates[other].number ?? 0) < (candidate.number ?? 0)
    }
    guard !isLater else { return false }
    guard let layer = candidate.layer else { return last != nil }
    guard let last else { return starts(index) }
    if layer.isNormalization, candidates[last].layer?.isNormalization ?? false { return false }
    // A numbered normalisation follows the layer with the same number.
    if let partner = normalization(of: last, rest), partner != index { return false }
    guard let channels, let wanted = layer.inputChannels else { return true }
    if wanted == channels { return true }
    let isBehindImage = candidates[last].layer.map { !$0.isDense } ?? true
    if layer.isDense { return isBehindImage && channels > 0 && wanted % channels == 0 }
    return layer.isConvolution && wanted == 1
  }

  /// Returns the normalisation with the same number as a layer, or inside the layer's scope.
  private func normalization(of index: Int, _ rest: Set<Int>) -> Int? {
    let own = candidates[index]
    guard let layer = own.layer, !layer.isNormalization else { return nil }
    return rest.first { other in
      let candidate = candidates[other]
      guard candidate.layer?.isNormalization ?? false,
        candidate.layer?.inputChannels == layer.outputChannels
      else { return false }
      return candidate.parent == own.name.withoutSeparators
        || candidate.parent == own.parent && own.number != nil && candidate.number == own.number
          && candidate.stem != own.stem
    }
  }

  /// Returns true if the network can begin with a layer: not with a normalisation, or a dense layer if there are
  /// convolutions, unless there is nothing else.
  private func starts(_ index: Int) -> Bool {
    guard let layer = candidates[index].layer else { return false }
    let others = candidates.indices.filter { $0 != index }.compactMap { candidates[$0].layer }
    if layer.isNormalization { return !others.contains { !$0.isNormalization } }
    if layer.isDense, others.contains(where: \.isConvolution) { return false }
    return true
  }

  /// Sorts layers by the likelihood that they follow `last`.
  private func ordered(_ indices: Set<Int>, behind last: Int?) -> [Int] {
    indices.sorted { first, second in
      let (a, b) = (candidates[first], candidates[second])
      if let last {
        let parents = [a, b].map { $0.parent == candidates[last].parent }
        if parents[0] != parents[1] { return parents[0] }
      }
      // A layer without a number is named for its purpose: the head of a network is last.
      let isLast = [a, b].map { $0.number == nil && $0.layer?.isDense ?? false }
      if isLast[0] != isLast[1] { return !isLast[0] }
      if let number = a.number, let other = b.number, number != other { return number < other }
      let isNormalization = [a, b].map { $0.layer?.isNormalization ?? false }
      if a.number == b.number, isNormalization[0] != isNormalization[1] {
        return !isNormalization[0]
      }
      if a.name != b.name { return a.name.precedesNaturally(b.name) }
      return first < second
    }
  }
}

extension ScaffoldOrder.Basis {
  /// The evidence for the order, as words in a message.
  var words: String {
    switch self {
    case .source: "of the source"
    case .shapes: "in which shapes and numbers in names fit each other"
    case .names: "that names suggest among those in which shapes fit each other"
    case .nothing: "that names suggest"
    }
  }

  /// The reason why the order is uncertain; `nil` if it is not.
  var doubt: String? {
    switch self {
    case .source, .shapes: nil
    case .names:
      "the source lists layers by their names, and their shapes fit in several orders; check the order of the layers"
    case .nothing:
      "the source lists layers by their names, and their shapes fit in no order without branches; check the order of "
        + "the layers, and what each reads"
    }
  }
}
