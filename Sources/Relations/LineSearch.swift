import ModelIR

/// The source tensors and the rearrangement that the lines through some elements indicate.
struct LineSearch {
  /// A section of an axis whose values have one source tensor.
  struct Run: Equatable {
    /// The axis, counted among those of size above 1.
    let axis: Int
    let range: Range<Int>
    /// The source tensor; `nil` for inserted zeros.
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

  // MARK: - Source tensors

  /// The source tensors: one for the whole tensor, or one per section of an axis; `nil` if the
  /// lines are inconclusive.
  ///
  /// - Parameter cutsZeros: True to treat indices of an axis with only zeros as inserted.
  func runs(cutsZeros: Bool) -> [Run]? {
    var cut = cutsZeros ? zeroAxis() : nil
    var owners: Set<Int> = []
    for base in bases {
      for axis in shape.indices {
        let known = base.lines[axis].compactMap { tensors(with: $0) }
        guard let first = known.first else { continue }
        owners.formUnion(first)
        // If no tensor has the whole line, the axis is a concatenation.
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

  /// The first axis with an index at which all lines are zero.
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

  /// The only tensor in all sets.
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

  /// Merges neighbours with the same owner; an index without a known owner joins the previous run.
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

  // MARK: - Positions

  /// The positions of all indices in the tensor `owner`; `nil` if the lines are inconclusive.
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

  /// Completes a line with a line through another element.
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
