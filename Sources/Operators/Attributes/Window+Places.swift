import Dispatch
import ModelIR

/// A tap of a window and the input position under it, both as row-major indices.
typealias WindowTap = (tap: Int, place: Int)

/// One axis, with the taps over the input for each output position along it.
private struct VisitedAxis {
  let size: Int
  let length: Int
  let taps: [WindowAxis.Taps]
  /// The range of output positions to visit: all, or a thread's share.
  var places: Range<Int>
}

extension Window {
  /// Calls `body` with each output position and its taps within the input.
  ///
  /// If there are many positions, threads share them: each visits its own range along the first axis, in row-major order.
  /// - Parameter lengths: the sizes of the input.
  func forEachPlace(
    over lengths: [Int], _ body: @Sendable (_ place: Int, _ taps: [WindowTap]) -> Void
  ) {
    let axes = visited(lengths)
    let count = axes.reduce(1) { $0 * $1.places.count }
    let rows = axes.first?.places.count ?? 0
    guard count >= Self.sharedPlaces, rows > 1 else {
      return visit(axes[...], place: 0, taps: [(0, 0)], body)
    }
    let shares = min(rows, 64)
    DispatchQueue.concurrentPerform(iterations: shares) { share in
      var axes = axes
      axes[0].places = rows * share / shares..<rows * (share + 1) / shares
      visit(axes[...], place: 0, taps: [(0, 0)], body)
    }
  }

  /// The minimum number of positions for several threads: fewer are done before a thread has started.
  private static var sharedPlaces: Int { 1 << 16 }

  private func visited(_ lengths: [Int]) -> [VisitedAxis] {
    zip(axes, lengths).map { axis, length in
      let count = axis.count(in: length)
      return VisitedAxis(
        size: axis.size, length: length, taps: (0..<count).map { axis.taps($0, in: length) },
        places: 0..<count)
    }
  }

  /// Visits the output positions along the remaining axes; `place` is the index along the previous ones.
  private func visit(
    _ axes: ArraySlice<VisitedAxis>, place: Int, taps: [WindowTap],
    _ body: (Int, [WindowTap]) -> Void
  ) {
    guard let axis = axes.first else { return body(place, taps) }
    let isLast = axes.count == 1
    let count = axis.taps.count
    // One list is reused for millions of positions.
    var joined: [WindowTap] = []
    for index in axis.places {
      let own = axis.taps[index]
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

  /// Reduces the values under each window to one value, channel by channel.
  ///
  /// - Parameters:
  ///   - shape: the shape of the result.
  ///   - reduce: receives the values within the input; at least one.
  func pooled(
    _ x: NDArray<Double>, shape: [Int], _ reduce: @Sendable ([Double]) -> Double
  ) throws(NetconvError) -> NDArray<Double> {
    var y = try NDArray<Double>(shape: shape)
    let channels = x.shape[x.rank - 1]
    let lengths = Array(x.shape.dropLast())
    y.values.withUnsafeMutableBufferPointer { y in
      x.values.withUnsafeBufferPointer { x in
        nonisolated(unsafe) let (x, y) = (x, y)
        forEachPlace(over: lengths) { place, taps in
          var values: [Double] = []
          values.reserveCapacity(taps.count)
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
