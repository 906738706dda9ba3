import ModelIR
import Operators

// Scales and offsets, per channel or for all channels.

extension MPSCNNPlan {
  mutating func normalization(
    _ input: Value, _ operation: BatchNormalization, _ layer: Layer
  ) throws(NetconvError) -> Value {
    try normalized(
      input, axes: [operation.axis], layer,
      .trained(
        epsilon: operation.epsilon, scales: layer.parameter(.gamma) != nil,
        offsets: layer.parameter(.beta) != nil))
  }

  /// Adds a normalisation by means and variances of a data set, which are parameters or constants.
  mutating func standardized(
    _ input: Value, _ operation: Normalization, _ layer: Layer
  ) throws(NetconvError) -> Value {
    guard let statistics = operation.statistics else {
      return try normalized(
        input, axes: operation.axes, layer,
        .statistics(
          invert: operation.invert, count: operation.axes.isEmpty ? 1 : input.shape.channels))
    }
    let line = statistics.line(invert: operation.invert)
    return try normalized(
      input, axes: operation.axes, layer, .constants(scale: line.scale, offset: line.offset))
  }

  /// Adds a scale per channel.
  mutating func scaled(_ input: Value, _ layer: Layer) throws(NetconvError) -> Value {
    try normalized(input, axes: [-1], layer, .factors)
  }

  /// Adds a scale and an offset that are constants of the model.
  mutating func rescaled(
    _ input: Value, _ operation: Rescaling, _ layer: Layer
  ) throws(NetconvError) -> Value {
    guard operation.scale.count > 1 || operation.offset.count > 1 else {
      let neuron = MPSCNNNeuron.descriptor(".linear", operation.scale[0], operation.offset[0])
      return applied(NeuronKernel(descriptor: neuron), input, of: layer.name, as: layer.name)
    }
    return try normalized(
      input, axes: [-1], layer, .constants(scale: operation.scale, offset: operation.offset))
  }

  /// - Parameter axes: The axes along which the numbers vary; empty if they are scalars.
  private mutating func normalized(
    _ input: Value, axes: [Int], _ layer: Layer, _ numbers: NormalizationKernel.Numbers
  ) throws(NetconvError) -> Value {
    let rank = layer.outputShape.rank
    guard axes.isEmpty || axes == [-1] || axes == [rank - 1],
      axes.isEmpty || rank == 3 || input.shape.isPixel
    else { throw .normalizationNotOverChannels }
    return add(
      MPSCNNStep(
        layer: layer.owner, result: layer.name,
        kernel: NormalizationKernel(channels: input.shape.channels, numbers: numbers),
        reads: [input.source], shape: input.shape))
  }
}

extension Normalization.Statistics {
  /// The normalisation as a scale and an offset: `x * scale + offset`.
  func line(invert: Bool) -> (scale: [Double], offset: [Double]) {
    let deviation = variance.map { max($0.squareRoot(), 1e-7) }
    return invert
      ? (deviation, mean)
      : (deviation.map { 1 / $0 }, zip(mean, deviation).map { -$0 / $1 })
  }
}
