import ModelIR
import Processor

/// How values are distributed: what is compared where nothing is equal.
struct Spread: Sendable {
  private var count = 0
  private var total = 0.0
  private var squares = 0.0

  private var mean: Double { total / Double(max(1, count)) }
  private var deviation: Double {
    max(0, squares / Double(max(1, count)) - mean * mean).squareRoot()
  }

  /// How far means and standard deviations are apart, as a part of the larger standard deviation.
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

  /// The spreads of tensors, by several threads.
  ///
  /// - Throws: what the first tensor that cannot be read throws, with its name.
  static func all(of tensors: [RelatedTensor], _ team: Team) throws(NetconvError) -> [Spread] {
    try tensors.sharedPieces(team) { index, piece throws(NetconvError) in
      var spread = Spread()
      try tensors[index].source.forEachPiece(in: piece) { _, values in spread.add(values) }
      return spread
    }.map { $0.reduce(Spread(), +) }
  }
}

/// For some tensors of one set, the most alike of another, of as many values.
struct NearestTensors {
  private var nearest: [Int: NearestTensor] = [:]

  /// The nearest of the tensors `places` of `tensors`.
  ///
  /// - Throws: what reading the values throws.
  init(
    to places: [Int], of tensors: [RelatedTensor], among others: [RelatedTensor], _ team: Team
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

  /// The nearest of the tensor at `place`; `nil` if none has as many values.
  subscript(place: Int) -> NearestTensor? { nearest[place] }
}
