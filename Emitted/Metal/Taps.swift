import Foundation

/// The weights of blurs: from -⌈radius⌉ to ⌈radius⌉, with the sum 1.
enum NAMETaps {
  static func gaussian(radius: Double, sigma: Double?) -> [Float] {
    let reach = Int(radius.rounded(.up))
    let sigma = sigma ?? radius / 2
    let weights = (-reach...reach).map { place in
      place == 0 ? 1 : exp(-Double(place * place) / (2 * sigma * sigma))
    }
    let sum = weights.reduce(0, +)
    return weights.map { Float($0 / sum) }
  }

  static func box(radius: Int) -> [Float] {
    let count = 2 * radius + 1
    return Array(repeating: 1 / Float(count), count: count)
  }
}

/// Of each new pixel along an axis, the old ones that it is made from, and their weights.
///
/// Without antialiasing as in TensorFlow (`tf.image.resize`), in its float32; with antialiasing as in Pillow
/// (`Image.resize`, `area` being its box), in float64.
struct NAMESamples: Equatable {
  /// Of each new pixel the first of the old ones, and their number.
  private(set) var spans: [Int32] = []
  /// ``most`` for each new pixel.
  private(set) var weights: [Float] = []
  let most: Int

  private typealias Row = (first: Int, weights: [Float])

  /// For new pixels `part` of `new`, made from `old`.
  init(from old: Int, to new: Int, _ part: Range<Int>, _ sizing: NAMEStep.Sizing) {
    let rows = part.map { place in
      sizing.antialias && sizing.method != .nearest
        ? Self.antialiased(place, old, new, sizing.method)
        : Self.plain(place, old, new, sizing.method)
    }
    most = rows.map(\.weights.count).max() ?? 1
    for row in rows {
      spans += [Int32(row.first), Int32(row.weights.count)]
      weights += row.weights + Array(repeating: 0, count: most - row.weights.count)
    }
  }

  /// The weights at places, of which those outside are moved to the edge.
  private static func row(_ places: [(place: Int, weight: Float)], _ old: Int) -> Row {
    let clamped = places.map { (place: min(max($0.place, 0), old - 1), weight: $0.weight) }
    let first = clamped.map(\.place).min() ?? 0
    var weights = [Float](repeating: 0, count: (clamped.map(\.place).max() ?? 0) - first + 1)
    for (place, weight) in clamped { weights[place - first] += weight }
    return (first, weights)
  }

  private static func plain(
    _ place: Int, _ old: Int, _ new: Int, _ method: NAMEStep.Interpolation
  ) -> Row {
    let scale = Float(old) / Float(new)
    let center = (Float(place) + 0.5) * scale
    switch method {
    case .nearest: return row([(Int(center.rounded(.down)), 1)], old)
    case .bilinear:
      let low = (center - 0.5).rounded(.down)
      let part = center - 0.5 - low
      return part == 0
        ? row([(Int(low), 1)], old) : row([(Int(low), 1 - part), (Int(low) + 1, part)], old)
    case .area: return covered(Float(place) * scale, Float(place + 1) * scale, scale, old)
    case .bicubic: return cubic(center - 0.5, old)
    }
  }

  /// How much of each old pixel lies between two places.
  private static func covered(_ start: Float, _ end: Float, _ scale: Float, _ old: Int) -> Row {
    let places = Int(start.rounded(.down))..<Int(end.rounded(.up))
    return row(
      places.map { place in
        (place, (min(Float(place + 1), end) - max(Float(place), start)) / scale)
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

  private static func antialiased(
    _ place: Int, _ old: Int, _ new: Int, _ method: NAMEStep.Interpolation
  ) -> Row {
    let scale = Double(old) / Double(new)
    let stretch = max(1, scale)
    let reach = stretch * (method == .bicubic ? 2 : method == .bilinear ? 1 : 0.5)
    let center = (Double(place) + 0.5) * scale
    let first = max(0, Int(center - reach + 0.5))
    let end = min(old, Int(center + reach + 0.5))
    let weights = (first..<end).map { tap in
      weight(method, (Double(tap) - center + 0.5) / stretch)
    }
    let sum = weights.reduce(0, +)
    return (first, weights.map { Float($0 / sum) })
  }

  private static func weight(_ method: NAMEStep.Interpolation, _ distance: Double) -> Double {
    switch method {
    case .bicubic: keys(distance)
    case .bilinear: max(0, 1 - abs(distance))
    case .area, .nearest: distance > -0.5 && distance <= 0.5 ? 1 : 0
    }
  }
}
