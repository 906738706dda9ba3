import ModelIR

/// A tap of a window, and the place of the input under it, each counted in the order in which they lie.
typealias WindowTap = (tap: Int, place: Int)

/// One axis, with the taps over the input of each place of the output along it.
private struct VisitedAxis {
  let size: Int
  let length: Int
  let taps: [WindowAxis.Taps]
}

extension Window {
  /// Calls `body` with each place of the output, in the order in which they lie, and the taps over it that lie within
  /// the input.
  ///
  /// - Parameter lengths: the sizes of the input.
  func forEachPlace(over lengths: [Int], _ body: (_ place: Int, _ taps: [WindowTap]) -> Void) {
    let visited = zip(axes, lengths).map { axis, length in
      VisitedAxis(
        size: axis.size, length: length,
        taps: (0..<axis.count(in: length)).map { axis.taps($0, in: length) })
    }
    visit(visited[...], place: 0, taps: [(0, 0)], body)
  }

  /// Visits the places of the output that the axes before have brought to number `place` of theirs.
  private func visit(
    _ axes: ArraySlice<VisitedAxis>, place: Int, taps: [WindowTap],
    _ body: (Int, [WindowTap]) -> Void
  ) {
    guard let axis = axes.first else { return body(place, taps) }
    let isLast = axes.count == 1
    let count = axis.taps.count
    // Millions of places share one list.
    var joined: [WindowTap] = []
    for (index, own) in axis.taps.enumerated() {
      joined.removeAll(keepingCapacity: true)
      for tap in taps {
        for number in own.numbers {
          joined.append(
            (tap.tap * axis.size + number, tap.place * axis.length + own.pixel(under: number)))
        }
      }
      if isLast {
        body(place * count + index, joined)
      } else {
        visit(axes.dropFirst(), place: place * count + index, taps: joined, body)
      }
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
    let lengths = Array(x.shape.dropLast())
    var values: [Double] = []
    y.values.withUnsafeMutableBufferPointer { y in
      x.values.withUnsafeBufferPointer { x in
        forEachPlace(over: lengths) { place, taps in
          for c in 0..<channels {
            values.removeAll(keepingCapacity: true)
            for tap in taps { values.append(x[tap.place * channels + c]) }
            y[place * channels + c] = reduce(values)
          }
        }
      }
    }
    return y
  }
}
