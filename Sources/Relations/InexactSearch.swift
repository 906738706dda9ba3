import ModelIR

/// The search for values that were computed from others: sums of biases, scaled tensors, folded
/// normalisations.
struct InexactSearch {
  private let a: [RelatedTensor]
  private let b: [RelatedTensor]
  /// The short vectors of `a`, by their length.
  private let vectors: [Int: [(tensor: Int, values: [Double])]]

  /// The longest vector that may be a bias.
  private static let longestVector = 1 << 16
  /// The limit on the vectors of a length whose pairs are tried.
  private static let mostVectors = 256
  /// The limit on the candidates of a size.
  private static let mostCandidates = 64

  init(_ a: [RelatedTensor], _ b: [RelatedTensor], lengths: Set<Int>) throws(NetconvError) {
    self.a = a
    self.b = b
    var vectors: [Int: [(tensor: Int, values: [Double])]] = [:]
    for (index, tensor) in a.enumerated()
    where tensor.isVector && tensor.count <= Self.longestVector && lengths.contains(tensor.count) {
      let values: [Float] = try tensor.source.values(0..<tensor.count)
      vectors[values.count, default: []].append((index, values.map(Double.init)))
    }
    self.vectors = vectors
  }

  private func vectors(of count: Int) -> ArraySlice<(tensor: Int, values: [Double])> {
    vectors[count, default: []].prefix(Self.mostVectors)
  }

  // MARK: - Sums

  /// The two tensors whose sum in float32 is the vector, such as the biases of a recurrent layer,
  /// possibly permuted; `nil` unless the pair is unique.
  func sum(_ tensor: RelatedTensor) throws(NetconvError) -> RelatedPart? {
    guard tensor.isVector, tensor.count > 1, tensor.count <= Self.longestVector else { return nil }
    let values: [Float] = try tensor.source.values(0..<tensor.count)
    let candidates = vectors(of: tensor.count)
    let places = AxisTables(origin: 0, tables: [Array(values.indices)])
    for likeness in Likeness.all(for: tensor.valueType) {
      var same: [RelatedPart] = []
      var moved: [RelatedPart] = []
      for (place, first) in candidates.enumerated() {
        for second in candidates.dropFirst(place + 1)
        where Self.mayAdd(first.values, second.values, to: values, likeness) {
          let sum = zip(first.values, second.values).map {
            likeness.apply(to: (Float($0) + Float($1)).bitPattern)
          }
          let part = { (tables: AxisTables) in
            tables.rearrangement(of: a[first.tensor].shape, to: tensor.shape).map {
              RelatedPart(
                source: first.tensor, rearrangement: $0, orders: $1, addend: second.tensor,
                likeness: likeness)
            }
          }
          if zip(sum, values).allSatisfy({ $0 == $1.bitPattern }) {
            same += [part(places)].compactMap(\.self)
          } else {
            moved += Self.tables(from: sum, to: values).flatMap(part).map { [$0] } ?? []
          }
        }
      }
      let found = same.isEmpty ? moved : same
      guard found.isEmpty else { return found.count == 1 ? found[0] : nil }
    }
    return nil
  }

  /// True if the total sums match, which rules out most pairs of vectors.
  private static func mayAdd(
    _ a: [Double], _ b: [Double], to sum: [Float], _ likeness: Likeness
  ) -> Bool {
    var (total, size) = (0.0, 0.0)
    for index in sum.indices {
      total += a[index] + b[index] - Double(sum[index])
      size += abs(a[index]) + abs(b[index])
    }
    // Each value has a rounding error of the stored dtype; non-finite values never match.
    let step = likeness.narrowType == .bfloat16 ? 0x1p-7 : likeness == .exact ? 0x1p-22 : 0x1p-10
    return abs(total) <= step * size + 0x1p-20
  }

  /// The permutation of the values; `nil` if the values differ.
  private static func tables(from sum: [UInt32], to values: [Float]) -> AxisTables? {
    var free = Dictionary(grouping: sum.indices.reversed()) { sum[$0] }
    var places: [Int] = []
    for value in values {
      guard let place = free[value.bitPattern]?.popLast() else { return nil }
      places.append(place)
    }
    return AxisTables(origin: places[0], tables: [places.map { $0 - places[0] }])
  }

  // MARK: - Factors

  /// The tensor of which this one is a multiple, if it is unique; several normalisations may
  /// explain the factors.
  func scaled(_ place: Int, among candidates: [Int]) throws(NetconvError) -> [RelatedPart] {
    let tensor = b[place]
    var parts: [[RelatedPart]] = []
    for candidate in candidates.filter({ a[$0].count == tensor.count }).prefix(Self.mostCandidates)
    {
      guard let found = try ScaleSearch(a[candidate], tensor).find() else { continue }
      let part = { (likeness: Likeness) in
        RelatedPart(source: candidate, rearrangement: found.rearrangement, likeness: likeness)
      }
      guard !found.isNegated else {
        parts.append([part(.negated)])
        continue
      }
      if let lengths = try lengths(found, tensor) {
        parts.append([part(.scaled(lengths))])
        continue
      }
      parts.append(scaled(found, tensor.valueType).map { part(.scaled($0)) })
    }
    return parts.count == 1 ? parts[0] : []
  }

  /// The factors if the values at each index have the length that a vector states, as in weight normalisation, where a weight
  /// is stored as its direction and its lengths; `nil` if there is no such vector, or several.
  private func lengths(
    _ found: ScaleSearch.Found, _ tensor: RelatedTensor
  ) throws(NetconvError) -> RelatedPart.Factors? {
    guard let axis = found.axis, !found.factors.contains(where: \.isNaN) else { return nil }
    let (size, stride) = (tensor.shape[axis], rowMajorStrides(of: tensor.shape)[axis])
    var squares = [Double](repeating: 0, count: size)
    try tensor.source.forEachPiece(in: 0..<tensor.count) { range, values in
      for (index, value) in zip(range, values) {
        squares[index / stride % size] += Double(value) * Double(value)
      }
    }
    let tolerance = 4 * ScaleSearch.tolerance(of: tensor.valueType)
    let fitting = vectors(of: size).filter { _, values in
      zip(zip(values, squares), found.factors).allSatisfy { pair, factor in
        let length = pair.1.squareRoot() * (factor < 0 ? -1 : 1)
        return abs(pair.0 - length) <= tolerance * abs(length)
      }
    }
    guard fitting.count == 1, let lengths = fitting.first?.tensor else { return nil }
    return RelatedPart.Factors(
      axis: axis, values: found.factors, normalization: nil, lengths: lengths)
  }

  /// The tensor of which this one has -exp(x), if it is unique.
  func exponential(
    _ place: Int, among candidates: [Int]
  ) throws(NetconvError) -> RelatedPart? {
    var parts: [RelatedPart] = []
    for candidate in candidates.filter({ a[$0].count == b[place].count })
      .prefix(Self.mostCandidates)
    {
      guard let move = try ExponentialSearch(a[candidate], b[place]).find() else { continue }
      parts.append(
        RelatedPart(source: candidate, rearrangement: move, likeness: .negatedExponential))
    }
    return parts.count == 1 ? parts[0] : nil
  }

  /// The normalisations with the factors, or the factors alone if there is none.
  private func scaled(_ found: ScaleSearch.Found, _ type: ElementType) -> [RelatedPart.Factors] {
    let folds = FoldSearch(vectors(of: found.factors.count), type)
    let normalizations = found.axis == nil ? [] : folds.normalizations(of: found.factors)
    guard !normalizations.isEmpty else {
      return [
        RelatedPart.Factors(
          axis: found.axis, values: found.factors.map { $0.isNaN ? 0 : $0 }, normalization: nil)
      ]
    }
    return normalizations.map { normalization in
      let known = folds.factors(of: normalization)
      return RelatedPart.Factors(
        axis: found.axis, values: zip(found.factors, known).map { $0.isNaN ? $1 : $0 },
        normalization: normalization)
    }
  }

  // MARK: - Addends

  /// The vector that equals this one up to a number that is added to all values; `nil` unless it is unique.
  func shifted(
    _ place: Int, among candidates: [Int]
  ) throws(NetconvError) -> RelatedPart? {
    let tensor = b[place]
    guard tensor.isVector, tensor.count >= Self.shortestShift, tensor.count <= Self.longestVector
    else { return nil }
    let stored: [Float] = try tensor.source.values(0..<tensor.count)
    let tolerance = ScaleSearch.tolerance(of: tensor.valueType)
    let places = AxisTables(origin: 0, tables: [Array(stored.indices)])
    var parts: [RelatedPart] = []
    for (candidate, values) in vectors(of: tensor.count) where candidates.contains(candidate) {
      guard let number = Self.shift(from: values, to: stored, tolerance),
        let rearrangement = places.rearrangement(of: a[candidate].shape, to: tensor.shape)?.0
      else { continue }
      parts.append(
        RelatedPart(
          source: candidate, rearrangement: rearrangement, likeness: .shifted(number)))
    }
    return parts.count == 1 ? parts[0] : nil
  }

  /// The fewest values that a common addend means something for.
  private static let shortestShift = 4
  /// The smallest spread of the values, in tolerances: less than that, and rounding hides whether they correspond.
  private static let leastSpread = 256.0

  /// The number by which each value of `b` is larger than that of `a`, up to rounding; `nil` if there is none, or if the
  /// values hardly differ from each other.
  private static func shift(from a: [Double], to b: [Float], _ tolerance: Double) -> Double? {
    let differences = zip(a, b).map { Double($1) - $0 }
    guard let least = differences.min(), let most = differences.max(), most - least < .infinity,
      let smallest = a.min(), let largest = a.max()
    else { return nil }
    let size = zip(a, b).reduce(0.0) { max($0, abs($1.0), abs(Double($1.1))) }
    let exact = (least + most) / 2
    // The number that a person would have written.
    let rounded = (exact * 1024).rounded() / 1024
    let number = abs(rounded - exact) <= tolerance * size ? rounded : exact
    guard abs(number) > leastSpread * tolerance * size,
      largest - smallest > leastSpread * tolerance * size,
      differences.allSatisfy({ abs($0 - number) <= tolerance * size })
    else { return nil }
    return number
  }

  /// The possible terms of a bias into which one of these normalisations was folded; for each that
  /// explains it, the best fits.
  func foldedBiases(
    _ tensor: RelatedTensor, _ scales: [RelatedPart.Factors]
  ) throws(NetconvError) -> [[RelatedPart]] {
    let scales = scales.filter { $0.values.count == tensor.count }
    guard tensor.isVector, !scales.isEmpty else { return [] }
    let stored: [Float] = try tensor.source.values(0..<tensor.count)
    let values = stored.map(Double.init)
    let search = FoldSearch(vectors(of: tensor.count), tensor.valueType)
    return scales.map { scale in
      search.biases(values, scale).map { RelatedPart(source: $0.beta, likeness: .folded($0)) }
    }.filter { !$0.isEmpty }
  }
}

extension RelatedTensor {
  /// True if exactly one axis has a size above 1.
  var isVector: Bool { shape.count { $0 > 1 } == 1 }
}
