import ModelIR

/// The search for tensors that were permuted and also cut, joined or rounded.
///
/// Sums over slices identify sections with the same values in any order. Then each value is
/// compared.
struct SliceSearch {
  private let a: [RelatedTensor]
  private let likeness: Likeness
  private let ofA: [SliceSums]

  /// The largest tensor that is searched.
  private static let mostValues = 1 << 25
  /// The sum of the hashes of zeros.
  private static func zeros(_ count: Int) -> UInt64 { UInt64(count) &* Fingerprint.hash(0) }

  /// Creates a search for values of tensors after the change `likeness`.
  init(_ a: [RelatedTensor], _ likeness: Likeness) throws(NetconvError) {
    self.a = a.map { $0.rounded(as: likeness) }
    self.likeness = likeness
    ofA = try self.a.map { tensor throws(NetconvError) in
      try tensor.count <= Self.mostValues ? SliceSums(tensor) : SliceSums(lines: [])
    }
  }

  /// The parts of a tensor: another tensor, a section of one, or several that were joined; `nil`
  /// unless the result is unique.
  ///
  /// - Parameter candidates: The indices of the possible sources.
  func parts(
    of tensor: RelatedTensor, among candidates: [Int]
  ) throws(NetconvError) -> [RelatedPart]? {
    guard tensor.count <= Self.mostValues else { return nil }
    let sums = try SliceSums(tensor)
    guard let sum = sums.total else { return nil }
    var found: [RelatedPart] = []
    for candidate in candidates {
      found += try parts(of: tensor, sums, sum, in: candidate)
      guard found.count < 2 else { return nil }
    }
    if found.count == 1 { return found }
    return try joined(tensor, sums, candidates)
  }

  /// The parts if the tensor equals another or a section of it; several if that is ambiguous.
  private func parts(
    of tensor: RelatedTensor, _ sums: SliceSums, _ sum: UInt64, in candidate: Int
  ) throws(NetconvError) -> [RelatedPart] {
    let source = a[candidate]
    if source.count == tensor.count {
      guard ofA[candidate].total == sum else { return [] }
      return try whole(tensor, sums, of: source, ofA[candidate]).map { part($0, candidate) }
    }
    guard source.count > tensor.count else { return [] }
    var found: [RelatedPart] = []
    for line in ofA[candidate].lines {
      for (start, length) in line.starts(of: sum, count: tensor.count, in: source.count) {
        let section = RelatedPart.Section(axis: line.axis, range: start..<start + length)
        let cut = source.section(section)
        for move in try whole(tensor, sums, of: cut, SliceSums(cut)) {
          found.append(part(move, candidate, from: [section]))
        }
      }
    }
    return found
  }

  /// The parts if the tensor is a concatenation of tensors and zeros along an axis.
  private func joined(
    _ tensor: RelatedTensor, _ sums: SliceSums, _ candidates: [Int]
  ) throws(NetconvError) -> [RelatedPart]? {
    for line in sums.lines {
      var pieces: [Int: [(length: Int, source: Int)]] = [:]
      for candidate in candidates where a[candidate].count < tensor.count {
        guard let sum = ofA[candidate].total, sum != Self.zeros(a[candidate].count) else {
          continue
        }
        for (start, length) in line.starts(of: sum, count: a[candidate].count, in: tensor.count) {
          pieces[start, default: []].append((length, candidate))
        }
      }
      guard !pieces.isEmpty else { continue }
      if let parts = try tiled(tensor, line, pieces) { return parts }
    }
    return nil
  }

  /// The parts along an axis if they are contiguous, except for zeros between them.
  private func tiled(
    _ tensor: RelatedTensor, _ line: SliceSums.Line, _ pieces: [Int: [(length: Int, source: Int)]]
  ) throws(NetconvError) -> [RelatedPart]? {
    let slice = tensor.count / line.sums.count
    var parts: [RelatedPart] = []
    var place = 0
    while place < line.sums.count {
      if let choices = pieces[place] {
        guard choices.count == 1, let piece = choices.first else { return nil }
        let target = RelatedPart.Section(axis: line.axis, range: place..<place + piece.length)
        let section = tensor.section(target)
        let moves = try whole(
          section, SliceSums(section), of: a[piece.source], ofA[piece.source])
        guard moves.count == 1 else { return nil }
        parts.append(part(moves[0], piece.source, to: [target]))
        place += piece.length
        continue
      }
      let start = place
      while place < line.sums.count, pieces[place] == nil, line.sums[place] == Self.zeros(slice) {
        place += 1
      }
      guard place > start else { return nil }
      let target = RelatedPart.Section(axis: line.axis, range: start..<place)
      guard try tensor.section(target).isZero() else { return nil }
      parts.append(RelatedPart(target: [target], source: nil))
    }
    return parts
  }

  private typealias Move = (rearrangement: Rearrangement, orders: [Axis: [Int]])

  /// The rearrangements and permutations that turn another tensor into this one.
  private func whole(
    _ tensor: RelatedTensor, _ sums: SliceSums, of source: RelatedTensor,
    _ ofSource: SliceSums
  ) throws(NetconvError) -> [Move] {
    let plain = try PairSearch(source, tensor, .exact).arrangements()
    guard plain.isEmpty else { return plain.map { ($0, [:]) } }
    var found: [Move] = []
    for tables in SliceSums.tables(ofSource, source.shape, to: sums) {
      guard try tables.fits(source, tensor),
        let move = tables.rearrangement(of: source.shape, to: tensor.shape)
      else { continue }
      found.append(move)
    }
    return found
  }

  private func part(
    _ move: Move, _ source: Int, from: [RelatedPart.Section] = [],
    to target: [RelatedPart.Section] = []
  ) -> RelatedPart {
    RelatedPart(
      target: target, source: source, sourceSections: from, rearrangement: move.rearrangement,
      orders: move.orders, likeness: likeness)
  }
}
