import ModelIR
import Processor

/// The search for tensors of which most rows are rows of others: joined, cut, stacked, in turns or transposed, possibly with
/// some other values.
struct RowSearch {
  private let a: [RelatedTensor]
  private let likeness: Likeness
  /// The rows of `a` by the hash of their values; `nil` for several with the same values.
  private let index: [Key: RowName?]

  private struct Key: Hashable {
    let length: Int
    let hash: UInt64
  }

  /// Shorter rows may be equal by chance.
  private static let shortestRow = 4
  /// The largest tensor that is searched.
  private static let mostValues = 1 << 28
  /// The most rows of all tensors together.
  private static let mostRows = 1 << 21

  /// Creates a search for rows of tensors after the change `likeness`.
  ///
  /// - Parameters:
  ///   - candidates: the indices of the tensors in `a` that are searched.
  ///   - lengths: the lengths of rows that are looked for.
  /// - Throws: An error if a tensor cannot be read.
  init(
    _ a: [RelatedTensor], _ candidates: [Int], lengths: Set<Int>, _ likeness: Likeness,
    _ team: ThreadTeam
  ) throws(NetconvError) {
    self.a = a
    self.likeness = likeness
    var wanted: [(tensor: Int, axis: Int)] = []
    var count = 0
    for tensor in candidates where a[tensor].count <= Self.mostValues {
      for axis in a[tensor].shape.indices
      where a[tensor].shape[axis] >= Self.shortestRow && lengths.contains(a[tensor].shape[axis]) {
        count += a[tensor].count / a[tensor].shape[axis]
        if count <= Self.mostRows { wanted.append((tensor, axis)) }
      }
    }
    let all = wanted
    let hashes = try team.results(all.count) { number throws(NetconvError) in
      let (tensor, axis) = all[number]
      do throws(NetconvError) {
        return try TensorRows(tensor: a[tensor].rounded(as: likeness), axis: axis).hashes()
      } catch {
        throw error.inTensor(a[tensor].name)
      }
    }
    var index: [Key: RowName?] = [:]
    for ((tensor, axis), hashes) in zip(all, hashes) {
      for (row, hash) in hashes.enumerated() {
        guard let hash else { continue }
        let key = Key(length: a[tensor].shape[axis], hash: hash)
        index[key] = index[key] == nil ? RowName(tensor: tensor, axis: axis, row: row) : .some(nil)
      }
    }
    self.index = index
  }

  /// The lengths of rows that are looked for in a tensor.
  static func lengths(of tensor: RelatedTensor) -> [Int] {
    tensor.shape.filter { $0 >= shortestRow && $0 < tensor.count }
  }

  /// The parts of a tensor by its rows, and the values that differ from them; `nil` if too few rows are known.
  ///
  /// - Parameter spare: the tensors that nothing has come from.
  func outcome(
    of tensor: RelatedTensor, sparing spare: [Int]
  ) throws(NetconvError) -> Relation.Outcome? {
    guard tensor.count <= Self.mostValues else { return nil }
    var best: (rows: TensorRows, matches: [RowName?], count: Int)?
    for axis in tensor.shape.indices where Self.lengths(of: tensor).contains(tensor.shape[axis]) {
      let rows = TensorRows(tensor: tensor, axis: axis)
      let matches = try rows.hashes().map { hash in
        hash.flatMap { index[Key(length: rows.length, hash: $0)] ?? nil }
      }
      let count = matches.count { $0 != nil }
      if count * 2 >= matches.count, count > 1, count * rows.length > (best?.count ?? 0) {
        best = (rows, matches, count * rows.length)
      }
    }
    guard let best,
      let parts = RowPieces(a, best.rows).parts(best.matches, sparing: spare, likeness)
    else { return nil }
    return try tensor.outcome(of: parts, a)
  }
}

extension RelatedTensor {
  /// The most values of a tensor whose parts are moved in memory.
  private static var mostMoved: Int { 1 << 25 }

  /// True if the values of the parts can be computed: those that were moved are held in memory.
  func canCompute(_ parts: [RelatedPart]) -> Bool {
    count <= Self.mostMoved || !parts.contains(where: \.isMoved)
  }

  /// The outcome if the tensor is made of these parts but for at most half of its values; `nil` if more differ.
  ///
  /// - Throws: An error if the values cannot be read.
  func outcome(
    of parts: [RelatedPart], _ a: [RelatedTensor]
  ) throws(NetconvError) -> Relation.Outcome? {
    guard canCompute(parts) else { return nil }
    guard let discrepancy = try discrepancy(from: parts, a) else { return .related(parts) }
    return discrepancy.count * 2 <= count ? .nearly(parts, discrepancy) : nil
  }

  /// The values that differ from those of the parts; `nil` if there are none.
  ///
  /// - Throws: An error if the values cannot be read.
  func discrepancy(
    from parts: [RelatedPart], _ a: [RelatedTensor]
  ) throws(NetconvError) -> Discrepancy? {
    let made = RelatedTensorSource(parts, of: a, shape: shape, cache: RelatedValues(), id: 0)
    var tally = DiscrepancyTally(shape)
    try source.forEachPiece(in: 0..<count) { (range, values) throws(NetconvError) in
      let expected: [Float] = try made.values(range)
      for (offset, value) in values.enumerated()
      where value.bitPattern != expected[offset].bitPattern {
        tally.add(range.lowerBound + offset, value, expected: expected[offset])
      }
    }
    return tally.discrepancy
  }
}
