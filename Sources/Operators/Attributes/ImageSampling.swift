import ModelIR

/// An image whose pixels are mixtures of those of another.
///
/// Each row of the result mixes some rows of the source, and each column some columns. What the shares lack to 1
/// is made up by a constant.
package struct ImageSampling: Sendable {
  /// What makes up each row.
  package let rows: [[ImageTap]]
  /// What makes up each column.
  package let columns: [[ImageTap]]
  /// What lies around the source.
  package let fill: Double

  package init(rows: [[ImageTap]], columns: [[ImageTap]], fill: Double = 0) {
    self.rows = rows
    self.columns = columns
    self.fill = fill
  }

  /// `length` pixels from `start` on, one by one.
  package static func copy(_ length: Int, from start: Int) -> [[ImageTap]] {
    (start..<start + length).map { [ImageTap(pixel: $0, share: 1)] }
  }

  /// The largest number of pixels that one is mixed from.
  var largestMixture: Int {
    (rows.map(\.count).max() ?? 0) * (columns.map(\.count).max() ?? 0)
  }

  /// y[h, w, c] = Σ rₕ[i] · r_w[j] · x[i, j, c] + (1 - Σ rₕ[i] · r_w[j]) · fill.
  ///
  /// - Throws: `usage` if the image takes more memory than is sane.
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
