import ModelIR

extension SpatialConvolution {
  /// y[p, o] = activation(b[o] + Σ x[p·s + i·d - padding, c] · k[i, c, o]) for positions p, taps i and channels c.
  ///
  /// Output channel o depends only on the input channels of its group.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known, let kernel = parameters[.kernel] else {
      throw .unknownSize(shape)
    }
    let bias = parameters[.bias]?.values
    let channels = kernel.shape[kernel.rank - 2]
    let (outputs, perGroup) = (outputChannels, outputChannels / groups)
    let lengths = Array(x.shape.dropLast())
    var y = try NDArray<Double>(shape: size)
    y.values.withUnsafeMutableBufferPointer { y in
      x.values.withUnsafeBufferPointer { x in
        kernel.values.withUnsafeBufferPointer { kernel in
          nonisolated(unsafe) let (x, kernel, y) = (x, kernel, y)
          window.forEachPlace(over: lengths) { place, taps in
            // The sums of a group are accumulated side by side, each in the order of its products.
            for group in 0..<groups {
              let first = group * perGroup
              let sums = place * outputs + first
              if perGroup == 1 {
                // The same sum without an inner loop of one iteration.
                var sum = 0.0
                for tap in taps {
                  let from = (tap.place * groups + group) * channels
                  let weights = tap.tap * channels * outputs + first
                  for c in 0..<channels { sum += x[from + c] * kernel[weights + c * outputs] }
                }
                y[sums] = bias.map { $0[first] + sum } ?? sum
                continue
              }
              for tap in taps {
                let from = (tap.place * groups + group) * channels
                for c in 0..<channels {
                  let value = x[from + c]
                  let weights = (tap.tap * channels + c) * outputs + first
                  for o in 0..<perGroup { y[sums + o] += value * kernel[weights + o] }
                }
              }
              if let bias { for o in 0..<perGroup { y[sums + o] = bias[first + o] + y[sums + o] } }
            }
          }
        }
      }
    }
    return try activation.applied(to: y)
  }
}
