import ModelIR

/// The order of layers in a source that lists them by their names, as far as shapes and numbers in names tell it.
struct ScaffoldOrder {
  /// What decides the order.
  enum Basis {
    /// The source, which lists layers as the network has them.
    case source
    /// Only one order has shapes that fit each other, and numbers that grow.
    case shapes
    /// Several orders fit, of which the names suggest this one.
    case names
    /// In no order shapes fit each other: the network has branches, or layers that are not recognised.
    case nothing
  }

  /// A layer on its way into the chain.
  private struct Candidate {
    /// Its place in the source.
    let place: Int
    /// What its name begins with: all but the last part.
    let parent: String
    /// The last part without its number.
    let stem: String
    /// The number that the last part ends with.
    let number: Int?
    let name: String
    let layer: ScaffoldLayer?
  }

  /// Places in the source.
  private(set) var places: [Int]
  private(set) var basis: Basis

  private let candidates: [Candidate]
  /// Steps of the search: enough for networks that are a chain.
  private var budget = 20_000
  private var found: [[Int]] = []

  /// The order of layers that are called by their scopes.
  ///
  /// - Parameters:
  ///   - layers: what is recognised in each scope, in the order of the source.
  ///   - isKept: whether the source says the order.
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

  /// Looks for two chains of all layers.
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

  /// The layers by their names alone: part by part, by numbers where there are any.
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

  /// What a part of a name says of the place of the layers whose names begin so.
  private struct NameKey: Equatable {
    /// Whether only dense layers are called so, as the head of a network is, in a network that has others.
    let isHead: Bool
    /// Behind all numbers if it has none.
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

  /// A word and the number that it ends with.
  private static func numbered(_ part: String) -> (stem: String, number: Int?) {
    let digits = String(part.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
    return (String(part.dropLast(digits.count)), Int(digits))
  }

  /// Whether a layer can stand behind another.
  private func fits(_ index: Int, behind last: Int?, _ rest: Set<Int>, _ channels: Int?) -> Bool {
    let candidate = candidates[index]
    // Numbers of layers that are called alike grow.
    let isLater = rest.contains { other in
      candidates[other].parent == candidate.parent && candidates[other].stem == candidate.stem
        && (candidates[other].number ?? 0) < (candidate.number ?? 0)
    }
    guard !isLater else { return false }
    guard let layer = candidate.layer else { return last != nil }
    guard let last else { return starts(index) }
    if layer.isNormalization, candidates[last].layer?.isNormalization ?? false { return false }
    // A normalisation of a number belongs to the layer of that number.
    if let partner = normalization(of: last, rest), partner != index { return false }
    guard let channels, let wanted = layer.inputChannels else { return true }
    if wanted == channels { return true }
    let isBehindImage = candidates[last].layer.map { !$0.isDense } ?? true
    if layer.isDense { return isBehindImage && channels > 0 && wanted % channels == 0 }
    return layer.isConvolution && wanted == 1
  }

  /// The normalisation that is called by the same number as a layer, or is in it.
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

  /// Whether the network may begin with a layer: not with a normalisation, or a dense layer behind an image, where
  /// there is another.
  private func starts(_ index: Int) -> Bool {
    guard let layer = candidates[index].layer else { return false }
    let others = candidates.indices.filter { $0 != index }.compactMap { candidates[$0].layer }
    if layer.isNormalization { return !others.contains { !$0.isNormalization } }
    if layer.isDense, others.contains(where: \.isConvolution) { return false }
    return true
  }

  /// Layers, the one first that names suggest behind `last`.
  private func ordered(_ indices: Set<Int>, behind last: Int?) -> [Int] {
    indices.sorted { first, second in
      let (a, b) = (candidates[first], candidates[second])
      if let last {
        let parents = [a, b].map { $0.parent == candidates[last].parent }
        if parents[0] != parents[1] { return parents[0] }
      }
      // What has no number is called for its place: the head of a network stands at the end.
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
  /// What the order is by, for people.
  var words: String {
    switch self {
    case .source: "of the source"
    case .shapes: "in which shapes and numbers in names fit each other"
    case .names: "that names suggest among those in which shapes fit each other"
    case .nothing: "that names suggest"
    }
  }

  /// Why the order may be another; `nil` if it is decided.
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
