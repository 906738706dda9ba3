import ModelIR
import Processor

/// The search for the originals of quantised tensors: whole tensors, and tensors that were joined, cut, stacked, transposed or
/// whose rows were permuted before.
struct QuantizedSearch {
  private let a: [RelatedTensor]
  /// The rows of `a` with some values of each, by their length.
  private let rows: [Int: [SampledRows]]

  /// The number of values of a row that are compared first.
  private static let sampleCount = 16
  /// The rows of a tensor for which all tensors are searched; those of others are looked for in the same tensors.
  private static let probeCount = 12
  /// The largest tensor that is searched.
  private static let mostValues = 1 << 28
  private static let shortestRow = 8

  /// Some values of each row of a tensor.
  private struct SampledRows: Sendable {
    let tensor: Int
    let axis: Int
    let samples: [Float]
  }

  /// - Parameters:
  ///   - candidates: the indices of the tensors in `a` that are searched.
  ///   - lengths: the lengths of the rows of quantised tensors.
  /// - Throws: An error if a tensor cannot be read.
  init(
    _ a: [RelatedTensor], _ candidates: [Int], lengths: Set<Int>, _ team: ThreadTeam
  ) throws(NetconvError) {
    self.a = a
    let wanted = candidates.flatMap { index in
      a[index].shape.indices.filter { lengths.contains(a[index].shape[$0]) }.map { (index, $0) }
    }.filter { a[$0.0].count <= Self.mostValues }
    let sampled = try team.results(wanted.count) { number throws(NetconvError) in
      let (index, axis) = wanted[number]
      do throws(NetconvError) {
        return SampledRows(
          tensor: index, axis: axis,
          samples: try Self.samples(of: TensorRows(tensor: a[index], axis: axis), a[index].source))
      } catch {
        throw error.inTensor(a[index].name)
      }
    }
    rows = Dictionary(grouping: sampled) { a[$0.tensor].shape[$0.axis] }
  }

  /// The lengths of the rows in which a quantised tensor is searched; `nil` if it is too large, or its rows are too short.
  static func rowLength(of tensor: RelatedTensor) -> Int? {
    guard tensor.grid != nil, let length = tensor.shape.last, length >= shortestRow,
      tensor.count <= mostValues
    else { return nil }
    return length
  }

  /// The positions in a row of the values that are compared first.
  private static func positions(_ length: Int) -> [Int] {
    guard length > sampleCount else { return Array(0..<length) }
    var random = RandomPlaces(in: length)
    var places: Set<Int> = []
    while places.count < sampleCount { places.insert(random.next()) }
    return places.sorted()
  }

  private static func samples(
    of rows: TensorRows, _ source: any TensorSource
  ) throws(NetconvError) -> [Float] {
    let (length, stride) = (rows.length, rows.stride)
    let positions = positions(length)
    var numbers = [Int](repeating: -1, count: length)
    for (number, position) in positions.enumerated() { numbers[position] = number }
    var samples = [Float](repeating: 0, count: rows.count * positions.count)
    try source.forEachPiece(in: 0..<rows.tensor.count) { range, values in
      for (index, value) in zip(range, values) {
        let (outer, inner) = index.quotientAndRemainder(dividingBy: stride)
        let number = numbers[outer % length]
        guard number >= 0 else { continue }
        samples[(outer / length * stride + inner) * positions.count + number] = value
      }
    }
    return samples
  }

  /// The tensors from which a quantised tensor may have been made, with what its codes say; `nil` if there are none.
  ///
  /// - Parameter spare: the tensors that nothing has come from.
  /// - Throws: An error if the values cannot be read.
  func outcome(
    of tensor: RelatedTensor, sparing spare: [Int]
  ) throws(NetconvError) -> Relation.Outcome? {
    guard let grid = tensor.grid, let length = Self.rowLength(of: tensor),
      let candidates = rows[length]
    else { return nil }
    let own = TensorRows(tensor: tensor, axis: tensor.shape.count - 1)
    let ranges = zip(
      try Self.samples(of: own, tensor.source),
      zip(try Self.samples(of: own, grid.below), try Self.samples(of: own, grid.above))
    ).map { number, next in Self.range(number, next) }
    let count = Self.positions(length).count
    let rowRanges = (0..<own.count).map { Array(ranges[$0 * count..<($0 + 1) * count]) }
    let found = owners(rowRanges, candidates)
    guard !found.isEmpty else { return nil }
    let matches = rowRanges.map { ranges in match(ranges, found) }
    guard matches.count(where: { $0 != nil }) * 2 >= matches.count,
      let parts = RowPieces(a, own).parts(matches, sparing: spare, .exact)
    else { return nil }
    return try tensor.outcome(quantizing: parts, a)
  }

  /// The originals that a code may stand for: up to one step away.
  private static func range(_ number: Float, _ next: (Float, Float)) -> ClosedRange<Float> {
    let (low, high) = (min(next.0, next.1), max(next.0, next.1))
    let gaps = (below: number - low, above: high - number)
    let atEnd = Float(GridStep.most.atEnd)
    let below = gaps.below.isFinite ? gaps.below : gaps.above.isFinite ? atEnd * gaps.above : 0
    let above = gaps.above.isFinite ? gaps.above : gaps.below.isFinite ? atEnd * gaps.below : 0
    let slack = 0x1p-18 + abs(number) * 0x1p-20
    guard number.isFinite else { return -.infinity ... .infinity }
    return number - below - slack...number + above + slack
  }

  /// The tensors with rows for the rows that are probed.
  private func owners(
    _ ranges: [[ClosedRange<Float>]], _ candidates: [SampledRows]
  ) -> [SampledRows] {
    let step = max(1, ranges.count / Self.probeCount)
    let probes = stride(from: 0, to: ranges.count, by: step).map { ranges[$0] }
    return candidates.filter { candidate in
      probes.contains { Self.rows(of: candidate, in: $0, most: 1).count == 1 }
    }
  }

  /// The only row whose values are in the ranges; `nil` if there are several.
  private func match(
    _ ranges: [ClosedRange<Float>], _ owners: [SampledRows]
  ) -> RowName? {
    var found: RowName?
    for owner in owners {
      for row in Self.rows(of: owner, in: ranges, most: 2) {
        guard found == nil else { return nil }
        found = RowName(tensor: owner.tensor, axis: owner.axis, row: row)
      }
    }
    return found
  }

  /// The first rows whose values are in the ranges.
  private static func rows(
    of sampled: SampledRows, in ranges: [ClosedRange<Float>], most: Int
  ) -> [Int] {
    var found: [Int] = []
    let count = ranges.count
    sampled.samples.withUnsafeBufferPointer { samples in
      for start in stride(from: 0, to: samples.count, by: count) where found.count < most {
        var index = 0
        while index < count, ranges[index].contains(samples[start + index]) { index += 1 }
        if index == count { found.append(start / count) }
      }
    }
    return found
  }
}
