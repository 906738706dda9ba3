import Operators

/// Slices of an image, each brought to a scale of its own; sums in Double, so that long ones lose nothing.
struct NormalizationStep: KernelStep {
  /// What the values of a slice are divided by.
  enum Measure: Sendable {
    /// √(variance + epsilon), after the mean was subtracted or not.
    case deviation(epsilon: Double, subtractsMean: Bool)
    /// √(mean square + epsilon).
    case rootMeanSquare(epsilon: Double)
    /// The Euclidean length, or at least this.
    case length(smallest: Double)
  }

  /// Where the slices are, and which gamma and beta their values have.
  struct Slices: Sendable {
    let slices: AxisSlices
    /// For each value of the first slice, the place of its gamma and beta.
    let places: [Int]
    /// How far gamma and beta of a slice are from those of the one before.
    let placeStride: Int
  }

  let measure: Measure
  let slices: Slices
  /// Values of an image.
  let count: Int
  let gamma: [Float]?
  let beta: [Float]?

  /// A slice is measured before any of it is written.
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

  /// What is subtracted from the values of a slice, and what they are multiplied by then.
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
