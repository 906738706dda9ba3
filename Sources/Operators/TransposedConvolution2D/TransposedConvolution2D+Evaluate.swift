import ModelIR

extension TransposedConvolution2D {
  /// y[h, w, o] = activation(b[o] + Σ x[r, c, ·] · k[i, j, o, ·]) over all r·s + i·d - p = h, c·s + j·d - p = w.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known, let kernel = parameters[.kernel] else {
      throw .unknownSize(shape)
    }
    let bias = parameters[.bias]?.values ?? Array(repeating: 0, count: outputChannels)
    var y = try NDArray<Double>(shape: size)
    for index in y.values.indices { y.values[index] = bias[index % outputChannels] }
    let rows = places(window.rows, count: x.shape[0], length: size[0])
    let columns = places(window.columns, count: x.shape[1], length: size[1])
    for row in rows {
      for column in columns {
        for o in 0..<outputChannels {
          var sum = 0.0
          for c in 0..<x.shape[2] {
            sum += x[row.input, column.input, c] * kernel[row.tap, column.tap, o, c]
          }
          y[row.output, column.output, o] += sum
        }
      }
    }
    return try activation.applied(to: y)
  }

  /// Every input pixel and tap that reach an output pixel, along one axis.
  private func places(
    _ axis: WindowAxis, count: Int, length: Int
  ) -> [(input: Int, tap: Int, output: Int)] {
    let before = axis.transposedPaddingBefore(count, length: length)
    return (0..<count).flatMap { input in
      (0..<axis.size).compactMap { tap in
        let output = input * axis.stride + tap * axis.dilation - before
        return (0..<length).contains(output) ? (input, tap, output) : nil
      }
    }
  }
}
