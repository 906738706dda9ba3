import ModelIR
import Operators

extension SpatialConvolutionalLSTM: COperator where Space: PlanarAxes {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    guard recurrence.statefulBatch == nil else { throw .statefulInC }
    guard let (ofInput, ofState) = windows else { return nil }
    let image = Array(layer.inputs[0].dropFirst())
    let state = recurrence.returns == .sequence ? Array(layer.output.dropFirst()) : layer.output
    let size = state.reduce(1, *)
    let sums = Array(state.dropLast()) + [4 * outputChannels]
    let first = CWindow(ofInput, from: image, to: sums)
    let second = CWindow(ofState, from: state, to: sums)
    let gate = try recurrentActivation.cPass(state)
    let inner = try activation.cPass(state)
    let writer = CRecurrence(recurrence, layer, stateSize: size, stateCount: 2)
    let (pixels, channels, count) = (size / outputChannels, outputChannels, image.reduce(1, *))
    return CStep(
      writer.functions + [.convolve, .addTo, .gatherGate, .lstmCell, .multiplyBy]
        + (gate?.functions ?? []) + (inner?.functions ?? []),
      parameters: CStep.Parameter.optional("kernel", layer.values(.kernel))
        + CStep.Parameter.optional("recurrent", layer.values(.recurrent))
        + CStep.Parameter.optional("bias", layer.values(.bias)),
      scratch: writer.end + 12 * size
    ) { places in
      let (hidden, memory) = (places.scratch, places.scratch(from: size))
      let gates = (0..<4).map { places.scratch(from: writer.end + $0 * size) }
      let ofInput = places.scratch(from: writer.end + 4 * size)
      let ofState = places.scratch(from: writer.end + 8 * size)
      var lines = first.block(
        "convolve(\(places.input) + step * \(count), from, &window, 1, \(places["kernel"]), \(places["bias"]), \(ofInput), to);"
      )
      lines += second.block(
        "convolve(\(hidden), from, &window, 1, \(places["recurrent"]), NULL, \(ofState), to);")
      lines.append("add_to(\(ofInput), \(ofState), \(4 * size));")
      for (index, address) in gates.enumerated() {
        lines.append("gather_gate(\(ofInput), \(pixels), 4, \(index), \(channels), \(address));")
        lines += (index == 2 ? inner : gate)?.statements(address) ?? []
      }
      lines += [
        "remember(\(memory), \(gates[0]), \(size));",
        "copy_values(\(memory), \(size), \(hidden));",
      ]
      lines += inner?.statements(hidden) ?? []
      lines.append("multiply_by(\(hidden), \(gates[3]), \(size));")
      return writer.statements(places, step: lines)
    }
  }

  /// The windows of the input's and the state's convolution, over images.
  private var windows: (Window2D, Window2D)? {
    let (input, state) = (inputConvolution, stateConvolution)
    let planes = [input, state].compactMap { convolution in
      (convolution as? Convolution2D) ?? (convolution as? Convolution1D)?.planar
    }
    return planes.count == 2 ? (planes[0].window, planes[1].window) : nil
  }
}

extension CFunction {
  static let gatherGate = CFunction(
    "gather_gate",
    """
    /* Copies the values of a gate, which are those of some channels of each pixel. */
    static void gather_gate(
        const float *in, int pixels, int gates, int gate, int channels, float *out)
    {
        for (int pixel = 0; pixel < pixels; pixel++) {
            for (int c = 0; c < channels; c++) {
                out[pixel * channels + c] = in[(pixel * gates + gate) * channels + c];
            }
        }
    }
    """)
}
