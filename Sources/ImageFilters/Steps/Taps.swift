/// The weights of blurs: from -⌈radius⌉ to ⌈radius⌉, with the sum 1.
enum BlurTaps {
  /// Those of a normal distribution.
  ///
  /// - Parameters:
  ///   - sigma: the standard deviation; half of the radius if it is `nil`.
  ///   - exponential: e to the power of a number.
  static func gaussian(
    radius: Double, sigma: Double?, _ exponential: (Double) -> Double
  ) -> [Float] {
    let reach = Int(radius.rounded(.up))
    let sigma = sigma ?? radius / 2
    let weights = (-reach...reach).map { (place: Int) -> Double in
      place == 0 ? 1 : exponential(-Double(place * place) / (2 * sigma * sigma))
    }
    let sum = weights.reduce(0, +)
    return weights.map { Float($0 / sum) }
  }

  /// 2 · `radius` + 1 that are the same.
  static func box(radius: Int) -> [Float] {
    let count = 2 * radius + 1
    return Array(repeating: 1 / Float(count), count: count)
  }
}

/// Of each new pixel along an axis, the old ones that it is made from, and their weights.
///
/// Without antialiasing as in TensorFlow (`tf.image.resize`), in its float32; with antialiasing as in Pillow
/// (`Image.resize`, `area` being its box), in float64.
struct SampleTable: Equatable {
  /// From which pixels a new one is made.
  enum Method {
    case nearest, bilinear, area, bicubic
  }

  /// The index of the first source pixel of each new pixel.
  private(set) var first: [Int] = []
  /// The number of source pixels of each new pixel.
  private(set) var count: [Int] = []
  /// The weights, ``most`` per new pixel.
  private(set) var weights: [Float] = []
  /// The largest count.
  let most: Int

  /// The table for new pixels `part` of `new`, made from `old`.
  init(
    from old: Int, to new: Int, _ part: Range<Int>, _ method: Method, antialias: Bool
  ) {
    let rows = part.map { place in
      antialias && method != .nearest
        ? Self.antialiased(place, old, new, method) : Self.plain(place, old, new, method)
    }
    most = rows.map(\.weights.count).max() ?? 1
    for row in rows {
      first.append(row.first)
      count.append(row.weights.count)
      weights += row.weights + Array(repeating: 0, count: most - row.weights.count)
    }
  }

  private typealias Row = (first: Int, weights: [Float])

  /// The weights at places, of which those outside are moved to the edge.
  private static func row(_ places: [(place: Int, weight: Float)], _ old: Int) -> Row {
    let clamped = places.map { (place: min(max($0.place, 0), old - 1), weight: $0.weight) }
    let first = clamped.map(\.place).min() ?? 0
    var weights = [Float](repeating: 0, count: (clamped.map(\.place).max() ?? 0) - first + 1)
    for (place, weight) in clamped { weights[place - first] += weight }
    return (first, weights)
  }

  // MARK: As TensorFlow

  private static func plain(
    _ place: Int, _ old: Int, _ new: Int, _ method: Method
  ) -> Row {
    let scale = Float(old) / Float(new)
    let center = (Float(place) + 0.5) * scale
    switch method {
    case .nearest: return row([(Int(center.rounded(.down)), 1)], old)
    case .bilinear:
      let low = (center - 0.5).rounded(.down)
      let part = center - 0.5 - low
      return part == 0
        ? row([(Int(low), 1)], old)
        : row([(Int(low), 1 - part), (Int(low) + 1, part)], old)
    case .area: return covered(Float(place) * scale, Float(place + 1) * scale, scale, old)
    case .bicubic: return cubic(center - 0.5, old)
    }
  }

  /// The fraction of each source pixel between two coordinates.
  ///
  /// A new pixel that lies within an old one counts as `scale`, whatever the rounding errors of its two places are.
  private static func covered(_ start: Float, _ end: Float, _ scale: Float, _ old: Int) -> Row {
    let places = Int(start.rounded(.down))..<Int(end.rounded(.up))
    return row(
      places.map { place in
        let (from, to) = (Float(place), Float(place + 1))
        let length = from < start && to > end ? scale : min(to, end) - max(from, start)
        return (place, length / scale)
      }, old)
  }

  /// Keys' cubic at the nearest of 1,024 places between two pixels; what lies outside counts for nothing.
  private static func cubic(_ center: Float, _ old: Int) -> Row {
    let low = center.rounded(.down)
    let part = ((center - low) * 1024).rounded(.toNearestOrEven) / 1024
    let taps = (-1...2).map { tap in
      (place: Int(low) + tap, weight: Float(keys(Double(tap) - Double(part))))
    }.filter { (0..<old).contains($0.place) }
    let sum = taps.reduce(0) { $0 + $1.weight }
    return row(taps.map { ($0.place, $0.weight / sum) }, old)
  }

  /// Keys' cubic with a = -0.5 at a distance.
  private static func keys(_ distance: Double) -> Double {
    let x = abs(distance)
    let a = -0.5
    if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0
  }

  // MARK: As Pillow

  private static func antialiased(
    _ place: Int, _ old: Int, _ new: Int, _ method: Method
  ) -> Row {
    let scale = Double(old) / Double(new)
    let stretch = max(1, scale)
    let reach =
      stretch
      * (method == .bicubic ? 2 : method == .bilinear ? 1 : 0.5)
    let center = (Double(place) + 0.5) * scale
    let first = max(0, Int(center - reach + 0.5))
    let end = min(old, Int(center + reach + 0.5))
    let weights = (first..<end).map { tap in
      kernel(method, (Double(tap) - center + 0.5) / stretch)
    }
    let sum = weights.reduce(0, +)
    return (first, weights.map { Float($0 / sum) })
  }

  /// The weight at a distance from the centre.
  private static func kernel(_ method: Method, _ distance: Double) -> Double {
    switch method {
    case .bicubic: keys(distance)
    case .bilinear: max(0, 1 - abs(distance))
    case .area, .nearest: distance > -0.5 && distance <= 0.5 ? 1 : 0
    }
  }
}
