import Operators

/// A step that normalises each slice of an image; sums are in Double, so that long ones stay accurate.
struct NormalizationStep: KernelStep {
  /// The divisor of a slice's values.
  enum Measure: Sendable {
    /// √(variance + epsilon), with the mean subtracted or not.
    case deviation(epsilon: Double, subtractsMean: Bool)
    /// √(mean square + epsilon).
    case rootMeanSquare(epsilon: Double)
    /// The Euclidean norm, with a lower bound.
    case length(smallest: Double)
  }

  /// The slices, and the gamma and beta of each value.
  struct Slices: Sendable {
    let slices: AxisSlices
    /// For each value of the first slice, the index of its gamma and beta.
    let places: [Int]
    /// The offset of gamma and beta between neighbouring slices.
    let placeStride: Int
  }

  let measure: Measure
  let slices: Slices
  /// The number of values of an image.
  let count: Int
  let gamma: [Float]?
  let beta: [Float]?

  /// A slice's statistics are computed before any of its values is written.
  var inPlaceInputs: [Int] { [0] }

  func run(_ operands: Operands) {
    let (starts, length) = (slices.slices.starts, slices.slices.offsets.count)
    operands.team.share(
      operands.images * starts.count, smallest: 1 + elementwiseShare / max(1, length)
    ) { share, _ in
      slices.slices.offsets.withUnsafeBufferPointer { offsets in
        for index in share {
          let (image, slice) = index.quotientAndRemainder(dividingBy: starts.count)
          let first = image * count + starts[slice]
          normalize(
            operands.inputs[0] + first, operands.output + first, offsets,
            slice * slices.placeStride)
        }
      }
    }
  }

  private func normalize(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>,
    _ offsets: UnsafeBufferPointer<Int>, _ firstPlace: Int
  ) {
    let (mean, scale) = statistics(x, offsets)
    for index in offsets.indices {
      let value = Float((Double(x[offsets[index]]) - mean) * scale)
      let place = firstPlace + slices.places[index]
      y[offsets[index]] = value * (gamma?[place] ?? 1) + (beta?[place] ?? 0)
    }
  }

  /// Returns the mean and the scale of a slice.
  private func statistics(
    _ x: UnsafePointer<Float>, _ offsets: UnsafeBufferPointer<Int>
  ) -> (mean: Double, scale: Double) {
    let size = Double(offsets.count)
    switch measure {
    case .deviation(let epsilon, let subtractsMean):
      var sum = 0.0
      for offset in offsets { sum += Double(x[offset]) }
      let mean = sum / size
      let scale = 1 / (squares(x, offsets, around: mean) / size + epsilon).squareRoot()
      return (subtractsMean ? mean : 0, scale)
    case .rootMeanSquare(let epsilon):
      return (0, 1 / (squares(x, offsets, around: 0) / size + epsilon).squareRoot())
    case .length(let smallest):
      let length = squares(x, offsets, around: 0).squareRoot()
      return (0, 1 / (length < smallest ? smallest : length))
    }
  }

  private func squares(
    _ x: UnsafePointer<Float>, _ offsets: UnsafeBufferPointer<Int>, around center: Double
  ) -> Double {
    var sum = 0.0
    for offset in offsets {
      let distance = Double(x[offset]) - center
      sum += distance * distance
    }
    return sum
  }
}
