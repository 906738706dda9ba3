import ModelIR

// Real inputs that are rounded to integers row by row, and multiplied by a kernel of integers.

extension Quantized {
  /// Rounds each row of the input to 8 bits with a scale of its own, sums products of integers, and scales the sums.
  ///
  /// Source: tensorflow/lite/kernels/fully_connected.cc, `EvalHybridDense`; internal/portable_tensor_utils.cc,
  /// `PortableSymmetricQuantizeFloats` and `PortableAsymmetricQuantizeFloats`;
  /// internal/reference/portable_tensor_utils.cc, `PortableMatrixBatchVectorMultiplyAccumulate`.
  func roundedSums(
    _ x: NDArray<Double>, _ size: [Int], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    guard let kernel = parameters[.kernel], let units = size.last, let features = x.shape.last
    else { throw .unknownSize(Shape(size)) }
    let weights = try integers(of: kernel, units)
    let rows = stride(from: 0, to: x.count, by: max(1, features)).map { start in
      RoundedRow(x.values[start..<start + features].map { Float($0) }, isAsymmetric: isAsymmetric)
    }
    let centred = NDArray(shape: x.shape, values: rows.flatMap(\.centred))
    let sums = try operation.evaluate([centred], [.kernel: weights])
    let bias = parameters[.bias]?.values
    var y = sums
    for index in sums.values.indices {
      let channel = index % units
      let factor = rows[index / units].scale * scale(channel)
      let start = bias.map { Float($0[channel]) } ?? 0
      y.values[index] = Double(start + Float(sums.values[index]) * factor)
    }
    return y
  }
}

/// A row of numbers as integers of 8 bits.
private struct RoundedRow {
  let scale: Float
  /// The integers without their zero point.
  let centred: [Double]

  init(_ values: [Float], isAsymmetric: Bool) {
    let (lowest, highest) = (values.min() ?? 0, values.max() ?? 0)
    if isAsymmetric {
      self.init(values, from: Double(min(0, lowest)), to: Double(max(0, highest)))
    } else {
      self.init(values, largest: max(abs(lowest), abs(highest)))
    }
  }

  private init(_ values: [Float], largest: Float) {
    guard largest > 0 else {
      (scale, centred) = (1, [Double](repeating: 0, count: values.count))
      return
    }
    scale = largest / 127
    let inverse = 127 / largest
    centred = values.map {
      Double(max(-127, min(127, ($0 * inverse).rounded(.toNearestOrAwayFromZero))))
    }
  }

  private init(_ values: [Float], from lowest: Double, to highest: Double) {
    guard lowest < highest else {
      (scale, centred) = (1, [Double](repeating: 0, count: values.count))
      return
    }
    let step = (highest - lowest) / 255
    // Of the two ends, the one where the zero point is off by less.
    let (first, last) = (-128 - lowest / step, 127 - highest / step)
    let isFirst = 128 + abs(lowest / step) < 127 + abs(highest / step)
    let zeroPoint = max(-128, min(127, (isFirst ? first : last).rounded(.toNearestOrAwayFromZero)))
    scale = Float(step)
    let inverse = 1 / scale
    centred = values.map {
      let integer = (Float(zeroPoint) + $0 * inverse).rounded(.toNearestOrAwayFromZero)
      return Double(max(-128, min(127, integer))) - zeroPoint
    }
  }
}
