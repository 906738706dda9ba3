import ModelIR

extension SpatialDepthwiseConvolution {
  /// y[p, c·M + m] = activation(b[c·M + m] + Σ x[p·s + i·d - padding, c] · k[i, c, m]) for places p and taps i.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known, let kernel = parameters[.kernel] else {
      throw .unknownSize(shape)
    }
    let channels = x.shape[x.rank - 1]
    let outputs = channels * depthMultiplier
    var y = try NDArray<Double>(shape: size)
    window.forEachPlace(over: x.shape.dropLast()) { place, taps in
      for o in 0..<outputs {
        var sum = parameters[.bias]?.values[o] ?? 0
        for tap in taps {
          sum +=
            x.values[tap.place * channels + o / depthMultiplier]
            * kernel.values[tap.tap * outputs + o]
        }
        y.values[place * outputs + o] = sum
      }
    }
    return try activation.applied(to: y)
  }
}
