import ModelIR
import Processor

/// The distribution of values, for comparing tensors without equal values.
struct Spread: Sendable {
  private var count = 0
  private var total = 0.0
  private var squares = 0.0

  private var mean: Double { total / Double(max(1, count)) }
  private var deviation: Double {
    max(0, squares / Double(max(1, count)) - mean * mean).squareRoot()
  }

  /// The difference of means and standard deviations, relative to the larger standard deviation.
  func distance(to other: Spread) -> Double {
    let distance = (mean - other.mean).magnitude + (deviation - other.deviation).magnitude
    return distance == 0 ? 0 : distance / max(deviation, other.deviation)
  }

  private mutating func add(_ values: UnsafeBufferPointer<Float>) {
    count += values.count
    for value in values {
      total += Double(value)
      squares += Double(value) * Double(value)
    }
  }

  static func + (a: Spread, b: Spread) -> Spread {
    Spread(count: a.count + b.count, total: a.total + b.total, squares: a.squares + b.squares)
  }

  /// Computes the spreads of tensors in several threads.
  ///
  /// - Throws: An error if a tensor cannot be read, with its name.
  static func all(of tensors: [RelatedTensor], _ team: ThreadTeam) throws(NetconvError) -> [Spread]
  {
    try tensors.sharedPieces(team) { index, piece throws(NetconvError) in
      var spread = Spread()
      try tensors[index].source.forEachPiece(in: piece) { _, values in spread.add(values) }
      return spread
    }.map { $0.reduce(Spread(), +) }
  }
}

/// The most similar tensors in another set, with the same count.
struct NearestTensors {
  private var nearest: [Int: NearestTensor] = [:]

  /// Finds the nearest tensors of `tensors` at the indices `places`.
  ///
  /// - Throws: An error if the values cannot be read.
  init(
    to places: [Int], of tensors: [RelatedTensor], among others: [RelatedTensor], _ team: ThreadTeam
  ) throws(NetconvError) {
    let counts = Set(places.map { tensors[$0].count })
    let candidates = others.indices.filter { counts.contains(others[$0].count) }
    let own = try Spread.all(of: places.map { tensors[$0] }, team)
    let found = try Spread.all(of: candidates.map { others[$0] }, team)
    let bySize = Dictionary(grouping: candidates.indices) { others[candidates[$0]].count }
    for (place, spread) in zip(places, own) {
      nearest[place] = (bySize[tensors[place].count] ?? [])
        .map { NearestTensor(tensor: candidates[$0], distance: spread.distance(to: found[$0])) }
        .min { $0.distance < $1.distance }
    }
  }

  /// The tensor nearest to that at `place`; `nil` if none has the same count.
  subscript(place: Int) -> NearestTensor? { nearest[place] }
}
