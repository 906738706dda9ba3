import ModelIR

extension SpatialConvolution {
  /// y[p, o] = activation(b[o] + Σ x[p·s + i·d - padding, c] · k[i, c, o]) for places p, taps i and channels c.
  ///
  /// Output channel o sees the input channels of its group only.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known, let kernel = parameters[.kernel] else {
      throw .unknownSize(shape)
    }
    let bias = parameters[.bias]
    let channels = kernel.shape[kernel.rank - 2]
    var y = try NDArray<Double>(shape: size)
    window.forEachPlace(over: x.shape.dropLast()) { place, taps in
      for o in 0..<outputChannels {
        let firstChannel = o / (outputChannels / groups) * channels
        var sum = 0.0
        for tap in taps {
          let from = tap.place * channels * groups + firstChannel
          let weights = tap.tap * channels
          for c in 0..<channels {
            sum += x.values[from + c] * kernel.values[(weights + c) * outputChannels + o]
          }
        }
        y.values[place * outputChannels + o] = (bias?.values[o] ?? 0) + sum
      }
    }
    return try activation.applied(to: y)
  }
}
