import ModelIR

extension SpatialTransposedConvolution {
  /// y[q, o] = activation(b[o] + Σ x[p, ·] · k[i, o, ·]) over all positions p and taps i with p·s + i·d - padding = q.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known, let kernel = parameters[.kernel] else {
      throw .unknownSize(shape)
    }
    let bias = parameters[.bias]?.values ?? Array(repeating: 0, count: outputChannels)
    let channels = x.shape[x.rank - 1]
    var y = try NDArray<Double>(shape: size)
    for index in y.values.indices { y.values[index] = bias[index % outputChannels] }
    let axes = zip(window.axes, zip(x.shape, size)).map {
      Hits(axis: $0, inputs: $1.0, outputs: $1.1)
    }
    forEachHit(axes[...], Hit(input: 0, tap: 0, output: 0)) { hit in
      for o in 0..<outputChannels {
        var sum = 0.0
        for c in 0..<channels {
          sum +=
            x.values[hit.input * channels + c]
            * kernel.values[(hit.tap * outputChannels + o) * channels + c]
        }
        y.values[hit.output * outputChannels + o] += sum
      }
    }
    return try activation.applied(to: y)
  }

  /// Calls `body` with every hit along `axes`, combined with `hit` of the axes before.
  private func forEachHit(_ axes: ArraySlice<Hits>, _ hit: Hit, _ body: (Hit) -> Void) {
    guard let axis = axes.first else { return body(hit) }
    for own in axis.hits {
      forEachHit(
        axes.dropFirst(),
        Hit(
          input: hit.input * axis.inputs + own.input, tap: hit.tap * axis.taps + own.tap,
          output: hit.output * axis.outputs + own.output), body)
    }
  }
}

/// An input position and a tap that contribute to an output position.
private struct Hit {
  let input: Int
  let tap: Int
  let output: Int
}

/// Every hit along one axis.
private struct Hits {
  let inputs: Int
  let taps: Int
  let outputs: Int
  let hits: [Hit]

  init(axis: WindowAxis, inputs: Int, outputs: Int) {
    (self.inputs, self.outputs) = (inputs, outputs)
    taps = axis.size
    let before = axis.transposedPaddingBefore(inputs, length: outputs)
    hits = (0..<inputs).flatMap { input in
      (0..<axis.size).compactMap { tap in
        let output = input * axis.stride + tap * axis.dilation - before
        return (0..<outputs).contains(output) ? Hit(input: input, tap: tap, output: output) : nil
      }
    }
  }
}
