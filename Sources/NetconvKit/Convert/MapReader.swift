import Documents
import ModelIR
import Relations
import Writers

/// The tensors of a source that a map refers to.
struct MapReader {
  private let tensors: [RelatedTensor]
  private let originals: [Tensor]
  private let places: [String: Int]

  /// - Throws: `badData` if the map does not mention every tensor of the source, or two have the same name.
  init(_ map: WeightsMap, _ tensors: [Tensor]) throws(NetconvError) {
    originals = tensors
    self.tensors = tensors.map { tensor in
      RelatedTensor(
        name: tensor.stored.path, shape: tensor.storedShape, source: tensor.stored.source)
    }
    var places: [String: Int] = [:]
    for (index, tensor) in tensors.enumerated() {
      guard places.updateValue(index, forKey: tensor.stored.path) == nil else {
        throw .repeatedInSource(tensor.stored.path)
      }
    }
    self.places = places
    let named = map.unused + map.tensors.flatMap(\.sources)
    let known = Set(named + named.map(Self.withoutContainer))
    let others = tensors.map(\.stored.path).filter { !known.contains($0) }
    guard others.isEmpty else { throw .notInMap(others) }
  }

  /// Returns a tensor of the map, with its element type.
  func tensor(
    _ made: WeightsMap.Made, _ cache: RelatedValues, _ id: Int
  ) throws(NetconvError) -> (tensor: Tensor, type: ElementType) {
    guard let type = ElementType(rawValue: made.dtype) else {
      throw .unknownTypeInMap(made.dtype)
    }
    if let candidates = made.candidates, made.parts.isEmpty {
      throw .undecidedInMap(candidates)
    }
    guard !made.shape.isEmpty || made.parts.count == 1,
      made.shape.count <= Axis.places.count, !made.name.isEmpty, !made.parts.isEmpty
    else { throw .noPartsInMap }
    let count = try product(made.shape)
    let parts = try made.parts.map { part throws(NetconvError) in try self.part(part, of: made) }
    try Self.check(parts, cover: made.shape, count: count)
    let axes = Axis.places.prefix(made.shape.count)
    let layout = axes.isEmpty ? .scalar : try Layout(axes.map { Layout.Dimension([$0]) })
    let spec = ParameterSpec(
      ParameterRole(rawValue: made.name), .unknown, layout,
      Dictionary(uniqueKeysWithValues: zip(axes, made.shape)))
    // Values that a narrower type cannot represent are found when they are written.
    let source = RelatedTensorSource(parts, of: tensors, shape: made.shape, cache: cache, id: id)
    let tensor = try Tensor(
      layer: made.name, spec: spec,
      stored: StoredTensor(
        source: source, layout: nil, shape: made.shape,
        path: places(of: parts)))
    return (try moved(tensor, parts) ?? tensor, type.isWritten ? type : .float32)
  }

  /// Returns the paths of all parts of a tensor in the source, as human-readable text.
  private func places(of parts: [RelatedPart]) -> String {
    let names = parts.map { part in part.source.map { originals[$0].stored.path } ?? "zeros" }
    return names.indices.filter { !names[..<$0].contains(names[$0]) }.map { names[$0] }
      .joined(separator: " + ")
  }

  /// Returns the same tensor as a plain rearrangement of one in the source, so that only a panel is in memory at a
  /// time; `nil` if more is needed.
  private func moved(
    _ tensor: Tensor, _ parts: [RelatedPart]
  ) throws(NetconvError) -> Tensor? {
    guard parts.count == 1, parts[0].likeness == .exact, parts[0].orders.isEmpty,
      parts[0].addend == nil,
      let copy = parts[0].copy, let source = parts[0].source, let move = parts[0].rearrangement
    else { return nil }
    let stored = originals[source].stored
    if copy.isIdentity { return tensor.reading(stored.source) }
    let moved = ParameterSpec(tensor.spec.role, .unknown, move.source, move.sizes)
    return try Tensor(
      layer: tensor.layer, spec: moved,
      stored: StoredTensor(
        source: stored.source, layout: move.source, shape: tensors[source].shape,
        path: stored.path)
    ).rearranged(to: move.target, reversed: move.reversed)
  }

  /// Returns a name without the prefix of a container, which earlier versions used for the tensors of a single
  /// container.
  private static func withoutContainer(_ name: String) -> String {
    let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
    return parts.count == 2 && OutputFormat.allCases.contains { $0.fileName == parts[0] }
      ? parts[1] : name
  }

  private func place(_ name: String) throws(NetconvError) -> Int {
    guard let place = places[name] ?? places[Self.withoutContainer(name)] else {
      throw .noSuchSource(name)
    }
    return place
  }

  private func part(
    _ part: WeightsMap.Part, of made: WeightsMap.Made
  ) throws(NetconvError) -> RelatedPart {
    let target = try (part.to ?? []).map { section throws(NetconvError) in
      try Self.section(section, of: made.shape)
    }
    try Self.checkKeys(of: part)
    for sections in [part.to ?? [], part.from ?? []]
    where Set(sections.map(\.axis)).count < sections.count {
      throw .twoSections
    }
    guard let name = part.of else { return RelatedPart(target: target, source: nil) }
    let source = try place(name)
    let shape = tensors[source].shape
    guard part.shape ?? shape == shape else {
      throw .otherShape(shape, expected: part.shape ?? [], name)
    }
    let from = try (part.from ?? []).map { section throws(NetconvError) in
      try Self.section(section, of: shape)
    }
    var taken = shape
    for section in from { taken[section.axis] = section.count }
    var wanted = made.shape
    for section in target { wanted[section.axis] = section.count }
    let move = try move(part, of: taken, to: wanted)
    let addend = try part.plus.map(place)
    if let addend, tensors[addend].count != (try product(taken)) {
      throw .otherShape(tensors[addend].shape, expected: taken, tensors[addend].name)
    }
    // The axis is one of the array that the pattern yields.
    let made = try move.rearrangement.target.shape(move.rearrangement.sizes)
    guard part.normalization?.axis == nil || made == wanted else { throw .noAxis }
    return RelatedPart(
      target: target, source: source, sourceSections: from, rearrangement: move.rearrangement,
      orders: move.orders, addend: addend, likeness: try likeness(part, source, wanted))
  }

  /// Checks that each key of a part has an effect.
  private static func checkKeys(of part: WeightsMap.Part) throws(NetconvError) {
    let scales = part.factor != nil || part.normalization != nil
    if part.of == nil {
      let others: [(name: String, isSet: Bool)] = [
        ("shape", part.shape != nil), ("from", part.from != nil), ("pattern", part.pattern != nil),
        ("sizes", part.sizes != nil), ("reversed", part.reversed != nil),
        ("orders", part.orders != nil), ("plus", part.plus != nil),
        ("rounded", part.rounded != nil), ("truncated", part.truncated != nil),
        ("factor", part.factor != nil), ("offset", part.offset != nil),
        ("normalization", part.normalization != nil),
      ]
      if let other = others.first(where: \.isSet) { throw .zerosWith(other.name) }
    }
    if part.pattern == nil, part.sizes != nil { throw .useless("sizes", beside: nil) }
    let narrowed = [("rounded", part.rounded), ("truncated", part.truncated)].first { $0.1 != nil }
    if let narrowed, scales {
      throw .useless(narrowed.0, beside: part.factor != nil ? "factor" : "normalization")
    }
    if part.offset != nil {
      let other = [
        ("factor", part.factor != nil), ("normalization", part.normalization != nil),
        ("rounded", part.rounded != nil), ("truncated", part.truncated != nil),
      ].first(where: \.1)
      if let other { throw .useless("offset", beside: other.0) }
    }
    if part.rounded != nil, part.truncated != nil {
      throw .useless("rounded", beside: "truncated")
    }
    if part.normalization?.mean != nil, part.normalization?.axis != nil {
      throw .useless("axis", beside: "mean")
    }
    if part.normalization?.mean == nil, part.normalization?.bias != nil {
      throw .useless("bias", beside: nil)
    }
  }

  private func move(
    _ part: WeightsMap.Part, of shape: [Int], to wanted: [Int]
  ) throws(NetconvError) -> (rearrangement: Rearrangement, orders: [Axis: [Int]]) {
    guard let pattern = part.pattern else {
      guard shape == wanted, part.orders == nil, part.reversed == nil else {
        throw .noPattern(shape, wanted)
      }
      let names = Axis.places.prefix(shape.count).map(\.lowercased).joined(separator: " ")
      return (try Rearrangement(pattern: "\(names) -> \(names)", sizes: [:], of: shape), [:])
    }
    let move = try Rearrangement(
      pattern: pattern, sizes: part.sizes ?? [:], of: shape, reversing: part.reversed ?? [])
    let made = try move.target.shape(move.sizes)
    guard made.filter({ $0 != 1 }) == wanted.filter({ $0 != 1 }) else {
      throw .otherShape(made, expected: wanted, pattern)
    }
    var orders: [Axis: [Int]] = [:]
    for (name, order) in part.orders ?? [:] {
      guard let axis = Axis(lowercased: name), let size = move.sizes[axis],
        order.sorted() == Array(0..<size),
        !move.reversed.contains(axis)
      else { throw .badOrder(name) }
      orders[axis] = order
    }
    return (move, orders)
  }

  private func likeness(
    _ part: WeightsMap.Part, _ source: Int, _ shape: [Int]
  ) throws(NetconvError) -> Likeness {
    if let number = part.offset { return .shifted(number) }
    if let factor = part.factor {
      guard part.normalization == nil else { throw .twoFactors }
      return factor == -1
        ? .negated
        : .scaled(RelatedPart.Factors(axis: nil, values: [factor], normalization: nil))
    }
    guard let normalization = part.normalization else {
      guard let name = part.rounded ?? part.truncated else { return .exact }
      guard let type = ElementType(rawValue: name), type == .float16 || type == .bfloat16 else {
        throw .unknownTypeInMap(name)
      }
      return part.rounded == nil ? .truncated(type) : .rounded(type)
    }
    let folded = RelatedPart.FoldedNormalization(
      gamma: try place(normalization.gamma), variance: try place(normalization.variance),
      epsilon: normalization.epsilon)
    guard let mean = normalization.mean else {
      guard let axis = normalization.axis, shape.indices.contains(axis),
        tensors[folded.gamma].count == shape[axis]
      else { throw .noAxis }
      return .scaled(RelatedPart.Factors(axis: axis, values: [], normalization: folded))
    }
    return .folded(
      RelatedPart.FoldedBias(
        beta: source, mean: try place(mean), bias: try normalization.bias.map(place),
        normalization: folded))
  }

  private static func section(
    _ section: WeightsMap.Section, of shape: [Int]
  ) throws(NetconvError) -> RelatedPart.Section {
    guard shape.indices.contains(section.axis), section.start >= 0, section.start < section.end,
      section.end <= shape[section.axis], section.step ?? 1 > 0
    else { throw .badSection(section, shape) }
    return RelatedPart.Section(
      axis: section.axis, range: section.start..<section.end, step: section.step ?? 1)
  }

  /// Checks that each index of the tensor is in exactly one part.
  private static func check(
    _ parts: [RelatedPart], cover shape: [Int], count: Int
  ) throws(NetconvError) {
    var rest = count
    for part in parts {
      rest -= part.target.reduce(into: shape) { $0[$1.axis] = $1.count }.reduce(1, *)
      guard rest >= 0 else { throw .gapsInMap }
    }
    guard rest == 0 else { throw .gapsInMap }
    for (index, part) in parts.enumerated() {
      for other in parts[..<index] {
        let isApart = part.target.contains { section in
          other.target.contains {
            $0.axis == section.axis && !$0.overlaps(section)
          }
        }
        guard isApart else { throw .gapsInMap }
      }
    }
  }
}

extension ElementType {
  /// True if a conversion writes the type; others are written as float32.
  fileprivate var isWritten: Bool { [.float32, .float16, .bfloat16].contains(self) }
}
