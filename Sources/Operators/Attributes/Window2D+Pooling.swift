import ModelIR

extension Window2D {
  /// Reduces the values under each window to one, channel by channel.
  ///
  /// - Parameter reduce: gets the values that lie in the image; at least one.
  func pooled(
    _ x: NDArray<Double>, _ reduce: ([Double]) -> Double
  ) throws(NetconvError) -> NDArray<Double> {
    let size = outputSize(height: x.shape[0], width: x.shape[1])
    guard let height = size.height, let width = size.width else {
      throw .unknownSize(Shape(x.shape))
    }
    var y = try NDArray<Double>(shape: [height, width, x.shape[2]])
    for h in 0..<height {
      let rows = self.rows.taps(h, in: x.shape[0])
      for w in 0..<width {
        let columns = self.columns.taps(w, in: x.shape[1])
        for c in 0..<x.shape[2] {
          y[h, w, c] = reduce(
            rows.flatMap { row in columns.map { x[row.pixel, $0.pixel, c] } })
        }
      }
    }
    return y
  }
}
