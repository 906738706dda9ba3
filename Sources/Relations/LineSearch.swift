import ModelIR

/// What the lines through some places of a tensor say of where its values came from.
struct LineSearch {
  /// A part of an axis whose values came from one tensor.
  struct Run: Equatable {
    /// The axis, counted among those of more than one place.
    let axis: Int
    let range: Range<Int>
    /// The tensor; `nil` for zeros that were put there.
    let tensor: Int?
  }

  private let tensor: RelatedTensor
  private let bases: [Anchors.Base]
  private let anchors: Anchors
  private var shape: [Int] { tensor.shape.filter { $0 != 1 } }

  init(_ tensor: RelatedTensor, _ bases: [Anchors.Base], _ anchors: Anchors) {
    self.tensor = tensor
    self.bases = bases
    self.anchors = anchors
  }

  // MARK: - Which tensors

  /// The tensors that the values came from: one for all, or one for each part of an axis; `nil` if lines do not tell.
  ///
  /// - Parameter cutsZeros: whether places of an axis that have only zeros were put there.
  func runs(cutsZeros: Bool) -> [Run]? {
    var cut = cutsZeros ? zeroAxis() : nil
    var owners: Set<Int> = []
    for base in bases {
      for axis in shape.indices {
        let known = base.lines[axis].compactMap { tensors(with: $0) }
        guard let first = known.first else { continue }
        owners.formUnion(first)
        // Somebody has to have the whole line, or the axis was put together.
        if known.dropFirst().reduce(first, { $0.intersection($1) }).isEmpty {
          guard cut == nil || cut == axis else { return nil }
          cut = axis
        }
      }
    }
    guard let cut else { return whole() }
    var places: [Int?] = []
    var isZero: [Bool] = []
    for place in 0..<shape[cut] {
      let values = bases.map { $0.lines[cut][place] }
      isZero.append(cutsZeros && values.allSatisfy(Self.isZero))
      places.append(only(values.compactMap { tensors(with: $0) }))
    }
    return runs(along: cut, places, isZero)
  }

  /// The axis of which some places have zeros on all lines.
  private func zeroAxis() -> Int? {
    shape.indices.first { axis in
      (0..<shape[axis]).contains { place in bases.allSatisfy { Self.isZero($0.lines[axis][place]) }
      }
    }
  }

  private static func isZero(_ bits: UInt32) -> Bool { bits & 0x7fff_ffff == 0 }

  private func tensors(with bits: UInt32) -> Set<Int>? {
    guard let found = anchors.occurrences(of: bits), !found.isEmpty else { return nil }
    return Set(found.map(\.tensor))
  }

  /// The tensor that is in all sets.
  private func only(_ sets: [Set<Int>]) -> Int? {
    guard let first = sets.first else { return nil }
    let common = sets.dropFirst().reduce(first) { $0.intersection($1) }
    return common.count == 1 ? common.first : nil
  }

  private func whole() -> [Run]? {
    let sets = bases.flatMap { base in base.lines.joined().compactMap { tensors(with: $0) } }
    guard let owner = only(sets), let size = shape.first else { return nil }
    return [Run(axis: 0, range: 0..<size, tensor: owner)]
  }

  /// Neighbours with the same owner; a place of which nothing is known goes with the one before.
  private func runs(along axis: Int, _ owners: [Int?], _ isZero: [Bool]) -> [Run]? {
    var runs: [Run] = []
    var start = 0
    for place in 1...owners.count {
      let isEnd =
        place == owners.count || isZero[place] != isZero[start]
        || !isZero[place] && owners[place] != nil && owners[place] != owners[start]
      guard isEnd else { continue }
      if isZero[start] {
        runs.append(Run(axis: axis, range: start..<place, tensor: nil))
      } else {
        guard let owner = owners[start] else { return nil }
        runs.append(Run(axis: axis, range: start..<place, tensor: owner))
      }
      start = place
    }
    return runs
  }

  // MARK: - Which places

  /// Where each place of each axis is in the tensor `owner`; `nil` if lines do not tell.
  func tables(in owner: Int) -> AxisTables? {
    for base in bases {
      guard let places = places(of: base.bits, in: owner), places.count == 1 else { continue }
      if let tables = tables(from: base, at: places[0], in: owner) { return tables }
    }
    return nil
  }

  private func places(of bits: UInt32, in owner: Int) -> [Int]? {
    anchors.occurrences(of: bits)?.filter { $0.tensor == owner }.map(\.place)
  }

  private func tables(from base: Anchors.Base, at place: Int, in owner: Int) -> AxisTables? {
    var origin = place
    var tables: [[Int]] = []
    for axis in shape.indices {
      var distances = base.lines[axis].map { bits -> Int? in
        guard let places = places(of: bits, in: owner), places.count == 1 else { return nil }
        return places[0] - place
      }
      distances[base.index[axis]] = 0
      for other in bases { complete(&distances, axis, with: other, in: owner) }
      let known = distances.compactMap(\.self)
      guard known.count == distances.count, let first = known.first else { return nil }
      origin += first
      tables.append(known.map { $0 - first })
    }
    return AxisTables(origin: origin, tables: tables)
  }

  /// Takes what is missing from a line through another place.
  private func complete(
    _ distances: inout [Int?], _ axis: Int, with other: Anchors.Base, in owner: Int
  ) {
    guard distances.contains(nil) else { return }
    let found = other.lines[axis].map { bits -> Int? in
      let places = places(of: bits, in: owner)
      return places?.count == 1 ? places?[0] : nil
    }
    let shift = zip(distances, found).lazy.compactMap { distance, place -> Int? in
      guard let distance, let place else { return nil }
      return distance - place
    }.first
    guard let shift else { return }
    for index in distances.indices where distances[index] == nil {
      distances[index] = found[index].map { $0 + shift }
    }
  }
}
