import ModelIR

extension SpatialConvolutionalLSTM {
  /// Evaluates the recurrence step by step, and returns the outputs selected by ``recurrence``.
  public func evaluateOutputs(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> [NDArray<Double>] {
    let x = inputs[0]
    let shape = try outputShape(for: inputs.map { Shape($0.shape) })
    guard let size = shape.known, let kernel = parameters[.kernel],
      let recurrent = parameters[.recurrent]
    else { throw .unknownSize(shape) }
    let stepShape = recurrence.returns == .sequence ? Array(size.dropFirst()) : size
    let zeros = try NDArray<Double>(shape: stepShape)
    var state = recurrence.takesState ? Array(inputs.dropFirst()) : [zeros, zeros]
    var ofInput: [ParameterRole: NDArray<Double>] = [.kernel: kernel]
    ofInput[.bias] = parameters[.bias]
    var all: [Double] = []
    let count = x.count / x.shape[0]
    let steps = Array(0..<x.shape[0])
    for step in recurrence.goesBackwards ? steps.reversed() : steps {
      let input = NDArray(
        shape: Array(x.shape.dropFirst()),
        values: Array(x.values[step * count..<(step + 1) * count]))
      let sums = try inputConvolution.evaluate([input], ofInput)
      let products = try stateConvolution.evaluate([state[0]], [.kernel: recurrent])
      state = try next(zip(sums.values, products.values).map(+), state)
      if recurrence.returns == .sequence { all += state[0].values }
    }
    return outputs(
      recurrence.returns == .sequence ? NDArray(shape: size, values: all) : state[0], states: state)
  }

  /// c' = r(f)·c + r(i)·a(c), h' = r(o)·a(c').
  ///
  /// - Parameter sums: the sums of each position for each gate: (…, gates, outputChannels).
  private func next(
    _ sums: [Double], _ state: [NDArray<Double>]
  ) throws(NetconvError) -> [NDArray<Double>] {
    func gate(
      _ index: Int, _ function: ActivationFunction
    ) throws(NetconvError) -> [Double] {
      var values = state[0]
      for place in values.values.indices {
        let (pixel, channel) = place.quotientAndRemainder(dividingBy: outputChannels)
        values.values[place] =
          sums[(pixel * RecurrentCellKind.lstm.gateCount + index) * outputChannels + channel]
      }
      return try function.applied(to: values).values
    }
    let (input, forget) = (try gate(0, recurrentActivation), try gate(1, recurrentActivation))
    let (new, output) = (try gate(2, activation), try gate(3, recurrentActivation))
    var (h, c) = (state[0], state[1])
    for place in c.values.indices {
      c.values[place] = forget[place] * c.values[place] + input[place] * new[place]
    }
    h.values = zip(output, try activation.applied(to: c).values).map(*)
    return [h, c]
  }
}
