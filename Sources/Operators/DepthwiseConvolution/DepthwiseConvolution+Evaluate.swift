import ModelIR

extension SpatialDepthwiseConvolution {
  /// y[p, c·M + m] = activation(b[c·M + m] + Σ x[p·s + i·d - padding, c] · k[i, c, m]) for positions p and taps i.
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
    let bias = parameters[.bias]?.values
    let multiplier = depthMultiplier
    let lengths = Array(x.shape.dropLast())
    var y = try NDArray<Double>(shape: size)
    y.values.withUnsafeMutableBufferPointer { y in
      x.values.withUnsafeBufferPointer { x in
        kernel.values.withUnsafeBufferPointer { kernel in
          nonisolated(unsafe) let (x, kernel, y) = (x, kernel, y)
          window.forEachPlace(over: lengths) { place, taps in
            let sums = place * outputs
            for o in 0..<outputs { y[sums + o] = bias?[o] ?? 0 }
            for tap in taps {
              let (from, weights) = (tap.place * channels, tap.tap * outputs)
              for c in 0..<channels {
                let value = x[from + c]
                for m in c * multiplier..<(c + 1) * multiplier {
                  y[sums + m] += value * kernel[weights + m]
                }
              }
            }
          }
        }
      }
    }
    return try activation.applied(to: y)
  }
}
