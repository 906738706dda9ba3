import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension ActivationFunction {
  /// The function of a whole activation.
  ///
  /// - Throws: `badData` if softmax or one of its kin names an axis that `array` lacks.
  func applied(to array: NDArray<Double>) throws(NetconvError) -> NDArray<Double> {
    guard let axis else { return array.map { self($0) } }
    return along(AxisSlices(of: array.shape, along: try axis.indices(rank: array.rank)), of: array)
  }

  /// The function of one value.
  ///
  /// Source: Keras, `keras.activations`, `keras.ops` and `keras.layers.ReLU`.
  /// - Precondition: values do not depend on each other.
  package func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .linear: x
    case .relu(let maxValue, let negativeSlope, let threshold):
      x.isNaN
        ? x
        : x >= threshold
          ? min(x, maxValue ?? .infinity)
          : negativeSlope == 0 ? 0 : negativeSlope * (x - threshold)
    case .leakyReLU(let negativeSlope): x < 0 ? negativeSlope * x : x
    case .elu(let alpha): x < 0 ? alpha * expm1(x) : x
    case .celu(let alpha): x < 0 ? alpha * expm1(x / alpha) : x
    case .selu: Self.seluScale * (x < 0 ? Self.seluAlpha * expm1(x) : x)
    case .sigmoid: _sigmoid(x)
    case .hardSigmoid(let slope): clamp(slope * x + 0.5, 0, 1)
    case .sparseSigmoid: clamp((x + 1) / 2, 0, 1)
    case .logSigmoid: -_softplus(-x)
    case .tanh: _tanh(x)
    case .hardTanh: clamp(x, -1, 1)
    case .tanhShrink: x - _tanh(x)
    case .silu: x == -.infinity ? 0 : x * _sigmoid(x)
    case .hardSilu: x <= -3 ? 0 : x * clamp((x + 3) / 6, 0, 1)
    case .gelu(let approximate): x == -.infinity ? 0 : x * normal(x, approximate)
    case .mish: x == -.infinity ? 0 : x * _tanh(_softplus(x))
    case .exponential: exp(x)
    case .softplus: _softplus(x)
    case .squareplus(let b): (x + (x * x + b).squareRoot()) / 2
    case .sparsePlus: x <= -1 ? 0 : x < 1 ? (x + 1) * (x + 1) / 4 : x
    case .softsign: x / (1 + abs(x))
    case .hardShrink(let threshold): abs(x) <= threshold ? 0 : x
    case .softShrink(let threshold):
      x > threshold ? x - threshold : x < -threshold ? x + threshold : x.isNaN ? x : 0
    case .threshold(let threshold, let value): x <= threshold ? value : x
    case .softmax, .logSoftmax: preconditionFailure("a value alone says nothing")
    }
  }

  private func along(_ slices: AxisSlices, of array: NDArray<Double>) -> NDArray<Double> {
    var result = array
    for start in slices.starts {
      let places = slices.offsets.map { start + $0 }
      let values = along(places.map { array.values[$0] })
      for (place, value) in zip(places, values) { result.values[place] = value }
    }
    return result
  }

  /// The function of the values along its axes.
  private func along(_ x: [Double]) -> [Double] {
    let largest = x.max() ?? 0
    let powers = x.map { exp($0 - largest) }
    let sum = powers.reduce(0, +)
    if case .logSoftmax = self { return x.map { $0 - largest - log(sum) } }
    return powers.map { $0 / sum }
  }
}

/// Under names that the enum's cases do not hide.
private func _sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }

/// log(1 + e^x) without overflow.
private func _softplus(_ x: Double) -> Double { x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)) }

/// The normal distribution function.
///
/// Source: Hendrycks and Gimpel, "Gaussian Error Linear Units" (2016).
private func normal(_ x: Double, _ approximate: Bool) -> Double {
  approximate
    ? 0.5 * (1 + _tanh((2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)))
    : 0.5 * erfc(-x / 2.0.squareRoot())
}

/// x within bounds; a NaN stays one.
private func clamp(_ x: Double, _ lowest: Double, _ highest: Double) -> Double {
  x < lowest ? lowest : x > highest ? highest : x
}

private func _tanh(_ x: Double) -> Double { tanh(x) }
