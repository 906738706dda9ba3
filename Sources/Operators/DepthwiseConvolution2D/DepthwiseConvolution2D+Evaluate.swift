import ModelIR

extension DepthwiseConvolution2D {
  /// y[h, w, c·M + m] = activation(b[c·M + m] + Σ x[h·s + i·d - p, w·s + j·d - p, c] · k[i, j, c, m]).
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known, let kernel = parameters[.kernel] else {
      throw .unknownSize(shape)
    }
    var y = try NDArray<Double>(shape: size)
    for h in 0..<size[0] {
      let rows = window.rows.taps(h, in: x.shape[0])
      for w in 0..<size[1] {
        let columns = window.columns.taps(w, in: x.shape[1])
        for o in 0..<size[2] {
          let (c, m) = (o / depthMultiplier, o % depthMultiplier)
          var sum = parameters[.bias]?.values[o] ?? 0
          for row in rows {
            for column in columns {
              sum += x[row.pixel, column.pixel, c] * kernel[row.tap, column.tap, c, m]
            }
          }
          y[h, w, o] = sum
        }
      }
    }
    return try activation.applied(to: y)
  }
}
