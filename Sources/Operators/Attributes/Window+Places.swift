import ModelIR

/// A tap of a window, and the place of the input under it, each counted in the order in which they lie.
typealias WindowTap = (tap: Int, place: Int)

extension Window {
  /// Calls `body` with each place of the output, in the order in which they lie, and the taps over it that lie within
  /// the input.
  ///
  /// - Parameter lengths: the sizes of the input.
  func forEachPlace(over lengths: [Int], _ body: (_ place: Int, _ taps: [WindowTap]) -> Void) {
    visit(axes[...], lengths[...], place: 0, taps: [(0, 0)], body)
  }

  /// Visits the places of the output that the axes before have brought to number `place` of theirs.
  private func visit(
    _ axes: ArraySlice<WindowAxis>, _ lengths: ArraySlice<Int>, place: Int, taps: [WindowTap],
    _ body: (Int, [WindowTap]) -> Void
  ) {
    guard let axis = axes.first, let length = lengths.first else { return body(place, taps) }
    let count = axis.count(in: length)
    for index in 0..<count {
      let own = axis.taps(index, in: length)
      let joined = taps.flatMap { tap in
        own.map { (tap.tap * axis.size + $0.tap, tap.place * length + $0.pixel) }
      }
      visit(axes.dropFirst(), lengths.dropFirst(), place: place * count + index, taps: joined, body)
    }
  }

  /// Reduces the values under each window to one, channel by channel.
  ///
  /// - Parameters:
  ///   - shape: of the result.
  ///   - reduce: gets the values that lie in the input; at least one.
  func pooled(
    _ x: NDArray<Double>, shape: [Int], _ reduce: ([Double]) -> Double
  ) throws(NetconvError) -> NDArray<Double> {
    var y = try NDArray<Double>(shape: shape)
    let channels = x.shape[x.rank - 1]
    forEachPlace(over: x.shape.dropLast()) { place, taps in
      for c in 0..<channels {
        y.values[place * channels + c] = reduce(taps.map { x.values[$0.place * channels + c] })
      }
    }
    return y
  }
}
