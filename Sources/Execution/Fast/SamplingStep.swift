import Operators

/// A resampling of an image: first of rows, then of columns.
struct SamplingStep: KernelStep {
  private struct Tap {
    let pixel: Int
    let share: Float
  }

  private let rows: [[Tap]]
  private let columns: [[Tap]]
  /// The sum of the weights of each row and column.
  private let rowShares: [Float]
  private let columnShares: [Float]
  private let fill: Float
  private let input: [Int]

  init(_ sampling: ImageSampling, input: [Int]) {
    let taps = { (taps: [ImageTap]) in
      taps.map { Tap(pixel: $0.pixel, share: Float($0.share)) }
    }
    rows = sampling.rows.map(taps)
    columns = sampling.columns.map(taps)
    let share = { (taps: [ImageTap]) in Float(taps.reduce(0) { $0 + $1.share }) }
    rowShares = sampling.rows.map(share)
    columnShares = sampling.columns.map(share)
    fill = Float(sampling.fill)
    self.input = input
  }

  /// One row of the input's width.
  var scratchCount: Int { input[1] * input[2] }

  func run(_ operands: Operands) {
    let imageCount = input.reduce(1, *)
    let rowCount = columns.count * input[2]
    operands.team.share(
      operands.images * rows.count, smallest: 1 + elementwiseShare / rowCount
    ) { share, thread in
      for index in share {
        let (image, row) = index.quotientAndRemainder(dividingBy: rows.count)
        sample(
          row, operands.inputs[0] + image * imageCount, operands.output + index * rowCount,
          operands.scratches[thread])
      }
    }
  }

  /// Computes row `h` of an image.
  private func sample(
    _ h: Int, _ x: UnsafePointer<Float>, _ row: UnsafeMutablePointer<Float>,
    _ scratch: UnsafeMutablePointer<Float>
  ) {
    let channels = input[2]
    let mixed = mixedRow(rows[h], x, scratch)
    for (w, column) in columns.enumerated() {
      let y = row + w * channels
      if column.count == 1, column[0].share == 1 {
        y.update(from: mixed + column[0].pixel * channels, count: channels)
      } else {
        mix(column, mixed, channels, channels, y)
      }
      let missing = (1 - rowShares[h] * columnShares[w]) * fill
      if missing != 0 { for c in 0..<channels { y[c] += missing } }
    }
  }

  /// Returns a row of the input unchanged, or several rows mixed into `scratch`.
  private func mixedRow(
    _ taps: [Tap], _ x: UnsafePointer<Float>, _ scratch: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Float> {
    let count = input[1] * input[2]
    if taps.count == 1, taps[0].share == 1 { return x + taps[0].pixel * count }
    mix(taps, x, count, count, scratch)
    return UnsafePointer(scratch)
  }

  /// Computes `count` weighted sums of all taps, which are `stride` values apart.
  private func mix(
    _ taps: [Tap], _ x: UnsafePointer<Float>, _ stride: Int, _ count: Int,
    _ y: UnsafeMutablePointer<Float>
  ) {
    y.update(repeating: 0, count: count)
    for tap in taps {
      let source = x + tap.pixel * stride
      for i in 0..<count { y[i] += tap.share * source[i] }
    }
  }
}
