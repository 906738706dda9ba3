import ModelIR

/// A resampling of an image: each output pixel is a weighted sum of input pixels.
///
/// The weights are products of weights per row and per column. If they do not sum to 1, the rest is weighted with a
/// constant.
package struct ImageSampling: Sendable {
  /// The taps of each output row.
  package let rows: [[ImageTap]]
  /// The taps of each output column.
  package let columns: [[ImageTap]]
  /// The value outside of the input.
  package let fill: Double

  package init(rows: [[ImageTap]], columns: [[ImageTap]], fill: Double = 0) {
    self.rows = rows
    self.columns = columns
    self.fill = fill
  }

  /// Returns taps that copy `length` pixels from `start` on.
  package static func copy(_ length: Int, from start: Int) -> [[ImageTap]] {
    (start..<start + length).map { [ImageTap(pixel: $0, share: 1)] }
  }

  /// The largest number of input pixels per output pixel.
  var largestMixture: Int {
    (rows.map(\.count).max() ?? 0) * (columns.map(\.count).max() ?? 0)
  }

  /// y[h, w, c] = Σ rₕ[i] · r_w[j] · x[i, j, c] + (1 - Σ rₕ[i] · r_w[j]) · fill.
  ///
  /// - Throws: `usage` if the image exceeds the memory limit.
  func evaluate(_ x: NDArray<Double>) throws(NetconvError) -> NDArray<Double> {
    var y = try NDArray<Double>(shape: [rows.count, columns.count, x.shape[2]])
    for (h, row) in rows.enumerated() {
      for (w, column) in columns.enumerated() {
        for c in 0..<x.shape[2] {
          var (sum, shares) = (0.0, 0.0)
          for upper in row {
            for left in column {
              sum += upper.share * left.share * x[upper.pixel, left.pixel, c]
              shares += upper.share * left.share
            }
          }
          y[h, w, c] = fill == 0 ? sum : sum + (1 - shares) * fill
        }
      }
    }
    return y
  }
}
