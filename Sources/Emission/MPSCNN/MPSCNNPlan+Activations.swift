import ModelIR
import Operators

// Fully-connected layers, activations and rectifiers.

extension MPSCNNPlan {
  mutating func dense(
    _ input: Value, _ operation: Dense, _ layer: Layer
  ) throws(NetconvError) -> Value {
    guard layer.inputShapes[0].rank == 1 else {
      return try pixelwise(input, operation, layer)
    }
    let sizes = layer.parameter(.kernel)?.spec.sizes ?? [:]
    let kernel = [sizes[.height] ?? 1, sizes[.width] ?? 1, sizes[.inputChannels] ?? 1]
    guard kernel == [input.shape.height, input.shape.width, input.shape.channels] else {
      throw .denseMismatch(kernel, input.shape)
    }
    let shape = ImageShape(height: 1, width: 1, channels: operation.units)
    return try summed(layer, operation.activation, shape) { neuron in
      MPSCNNStep(
        layer: layer.owner,
        kernel: FullyConnectedKernel(
          image: input.shape, outputs: operation.units,
          hasBias: layer.parameter(.bias) != nil, neuron: neuron),
        reads: [input.source], shape: shape)
    }
  }

  /// Adds a fully-connected layer over the channels of each pixel.
  private mutating func pixelwise(
    _ input: Value, _ operation: Dense, _ layer: Layer
  ) throws(NetconvError) -> Value {
    guard layer.inputShapes[0].rank == 3 else { throw .denseOverPixels(layer.inputShapes[0]) }
    return try windowed(
      input, layer, operation.activation,
      ConvolutionKernel(
        window: Window2D(size: .one, strides: .one, padding: .valid),
        channels: input.shape.channels, outputs: operation.units, groups: 1, isDepthwise: false,
        padding: MPSCNNStep.Corner(left: 0, top: 0), hasBias: layer.parameter(.bias) != nil))
  }

  /// Adds a kernel that sums, with the activation of its layer or of the layer that alone reads it.
  ///
  /// A single neuron is fused into the kernel. If the activation needs separate kernels, the sums
  /// are stored as float32, so that values are rounded only once, after the activation.
  mutating func summed(
    _ layer: Layer, _ function: ActivationFunction, _ shape: ImageShape,
    _ step: (_ neuron: String?) -> MPSCNNStep
  ) throws(NetconvError) -> Value {
    let (function, result) =
      function.isLinear
      ? uses.activation(behind: layer.name) ?? (.linear, layer.name) : (function, layer.name)
    let neuron: MPSCNNNeuron
    do {
      neuron = try MPSCNNNeuron(function, layer.outputShape, in: shape)
    } catch {
      throw error.inLayer(result)
    }
    if case .fused(let text) = neuron {
      var sums = step(text)
      sums.result = result
      return add(sums)
    }
    var sums = step(nil)
    guard neuron != .none else {
      sums.result = result
      return add(sums)
    }
    return try activated(
      function, add(sums), layer.outputShape, of: layer.name, as: result, suffix: "Neuron")
  }

  /// Adds the kernels of an activation.
  ///
  /// - Parameter suffix: The suffix in the name of the neuron that computes the result.
  mutating func activated(
    _ function: ActivationFunction, _ input: Value, _ shape: Shape, of layer: String,
    as result: String, suffix: String = ""
  ) throws(NetconvError) -> Value {
    switch try MPSCNNNeuron(function, shape, in: input.shape) {
    case .none: return input
    case .fused(let neuron):
      return applied(
        NeuronKernel(descriptor: neuron), input, of: layer, as: result, suffix: suffix)
    case .chain(let chain):
      return neurons(chain, input, of: layer, as: result, suffix: suffix)
    case .gate(let chain):
      let gate = neurons(chain, input, of: layer, as: nil, suffix: "Neuron")
      return add(
        MPSCNNStep(
          layer: layer, result: result, suffix: "Gate",
          kernel: ArithmeticKernel(operation: .multiply),
          reads: [input.source, gate.source], shape: input.shape))
    case .softMax:
      return applied(SoftMaxKernel(), input, of: layer, as: result, suffix: "SoftMax")
    case .logSoftMax:
      return applied(LogSoftMaxKernel(), input, of: layer, as: result, suffix: "SoftMax")
    }
  }

  /// Adds neurons one after another; intermediate values are stored as float32.
  private mutating func neurons(
    _ texts: [String], _ input: Value, of layer: String, as result: String?, suffix: String
  ) -> Value {
    var value = input
    for (index, text) in texts.enumerated() {
      let isLast = index == texts.count - 1
      value = applied(
        NeuronKernel(descriptor: text), value, of: layer, as: isLast ? result : nil,
        suffix: isLast ? suffix : "Neuron")
    }
    return value
  }

  /// Adds an element-wise kernel.
  mutating func applied(
    _ kernel: some MPSCNNKernel, _ input: Value, of layer: String, as result: String?,
    suffix: String = ""
  ) -> Value {
    add(
      MPSCNNStep(
        layer: layer, result: result, suffix: suffix, kernel: kernel, reads: [input.source],
        shape: input.shape))
  }

  /// Adds a rectifier with one slope per channel.
  mutating func rectified(_ input: Value, _ layer: Layer) throws(NetconvError) -> Value {
    try Self.checkSlopes(layer)
    guard layer.outputShape.rank == 3 || input.shape.isPixel else { throw .slopesNotOfChannels }
    return add(
      MPSCNNStep(
        layer: layer.owner, result: layer.name,
        kernel: RectifierKernel(channels: input.shape.channels), reads: [input.source],
        shape: input.shape))
  }

  /// Checks that slopes differ along the channels only.
  static func checkSlopes(_ layer: Layer) throws(NetconvError) {
    let sizes = layer.parameter(.alpha)?.spec.sizes ?? [:]
    let channels = layer.outputShape.dimensions.last ?? nil
    guard sizes.allSatisfy({ axis, size in size == (axis == .channels ? channels : 1) }) else {
      throw .slopesNotOfChannels
    }
  }
}

extension NetconvError {
  fileprivate static var slopesNotOfChannels: NetconvError {
    NetconvError(.badData, "slopes of other axes than an image's channels")
  }

  fileprivate static func denseOverPixels(_ shape: Shape) -> NetconvError {
    NetconvError(.badData, "a fully-connected layer over the last axis of \(shape)")
  }

  fileprivate static func denseMismatch(_ kernel: [Int], _ image: ImageShape) -> NetconvError {
    NetconvError(
      .badData, "a fully-connected kernel of \(kernel) over an image of \(image.description)")
  }
}
