import ModelIR

extension Convolution2D {
  /// y[h, w, o] = activation(b[o] + Σ x[h·s + i·d - p, w·s + j·d - p, c] · k[i, j, c, o]).
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
    var y = try NDArray<Double>(shape: size)
    for h in 0..<size[0] {
      let rows = window.rows.taps(h, in: x.shape[0])
      for w in 0..<size[1] {
        let columns = window.columns.taps(w, in: x.shape[1])
        for o in 0..<outputChannels {
          y[h, w, o] = (bias?.values[o] ?? 0) + sum(x, kernel, o, rows, columns)
        }
      }
    }
    return try activation.applied(to: y)
  }

  private func sum(
    _ x: NDArray<Double>, _ kernel: NDArray<Double>, _ o: Int,
    _ rows: [(tap: Int, pixel: Int)], _ columns: [(tap: Int, pixel: Int)]
  ) -> Double {
    let channels = kernel.shape[2]
    let firstChannel = o / (outputChannels / groups) * channels
    var sum = 0.0
    for row in rows {
      for column in columns {
        for c in 0..<channels {
          sum += x[row.pixel, column.pixel, firstChannel + c] * kernel[row.tap, column.tap, c, o]
        }
      }
    }
    return sum
  }
}
