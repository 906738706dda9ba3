import ModelIR
import Operators

// Operators with windows: convolutions and pooling.

extension MPSCNNPlan {
  mutating func convolution(
    _ input: Value, _ operation: Convolution2D, _ layer: Layer
  ) throws(NetconvError) -> Value {
    let channels = input.shape.channels
    let groups = operation.groups
    guard
      groups == 1
        || (channels / groups % 4 == 0 && operation.outputChannels / groups % 4 == 0)
    else { throw .groups(groups, of: channels, operation.outputChannels) }
    return try windowed(
      input, layer, operation.activation,
      ConvolutionKernel(
        window: operation.window, channels: channels, outputs: operation.outputChannels,
        groups: groups, isDepthwise: false, padding: Self.padding(operation.window, input),
        hasBias: layer.parameter(.bias) != nil))
  }

  mutating func depthwise(
    _ input: Value, _ operation: DepthwiseConvolution2D, _ layer: Layer
  ) throws(NetconvError) -> Value {
    guard operation.depthMultiplier == 1 else { throw .multiplier(operation.depthMultiplier) }
    return try windowed(
      input, layer, operation.activation,
      ConvolutionKernel(
        window: operation.window, channels: input.shape.channels, outputs: input.shape.channels,
        groups: 1, isDepthwise: true, padding: Self.padding(operation.window, input),
        hasBias: layer.parameter(.bias) != nil))
  }

  /// Adds a depthwise and a pointwise convolution; the result of the first has the precision of a
  /// layer's output.
  mutating func separable(
    _ input: Value, _ operation: SeparableConvolution2D, _ layer: Layer
  ) throws(NetconvError) -> Value {
    guard operation.depthMultiplier == 1 else { throw .multiplier(operation.depthMultiplier) }
    let channels = input.shape.channels
    let window = operation.window
    let between = add(
      MPSCNNStep(
        layer: layer.owner, part: .stored, suffix: "Depthwise",
        kernel: ConvolutionKernel(
          role: "depthwise", window: window, channels: channels, outputs: channels, groups: 1,
          isDepthwise: true, padding: Self.padding(window, input), hasBias: false),
        reads: [input.source],
        shape: try ImageShape(operation.depthwise.outputShape(for: layer.inputShapes)),
        remark: Self.remark(window, input)))
    return try windowed(
      between, layer, operation.activation,
      ConvolutionKernel(
        role: "pointwise", window: operation.pointwise.window, channels: channels,
        outputs: operation.outputChannels, groups: 1, isDepthwise: false,
        padding: MPSCNNStep.Corner(left: 0, top: 0), hasBias: layer.parameter(.bias) != nil))
  }

  mutating func windowed(
    _ input: Value, _ layer: Layer, _ function: ActivationFunction,
    _ convolution: ConvolutionKernel
  ) throws(NetconvError) -> Value {
    var convolution = convolution
    let shape = try ImageShape(layer.outputShape)
    let remark = Self.remark(convolution.window, input)
    return try summed(layer, function, shape) { neuron in
      convolution.neuron = neuron
      return MPSCNNStep(
        layer: layer.owner, kernel: convolution, reads: [input.source],
        shape: shape, remark: remark)
    }
  }

  mutating func transposed(
    _ input: Value, _ operation: TransposedConvolution2D, _ layer: Layer
  ) throws(NetconvError) -> Value {
    guard operation.dilation == .one else { throw .dilatedTransposed(operation.dilation) }
    let window = operation.window
    let shape = try ImageShape(layer.outputShape)
    var convolution = ConvolutionKernel(
      window: window, channels: input.shape.channels, outputs: operation.outputChannels, groups: 1,
      isDepthwise: false,
      padding: MPSCNNStep.Corner(
        left: window.columns.transposedPaddingBefore(input.shape.width, length: shape.width),
        top: window.rows.transposedPaddingBefore(input.shape.height, length: shape.height)),
      hasBias: layer.parameter(.bias) != nil)
    return try summed(layer, operation.activation, shape) { neuron in
      convolution.neuron = neuron
      return MPSCNNStep(
        layer: layer.owner, kernel: TransposedConvolutionKernel(convolution: convolution),
        reads: [input.source],
        shape: shape)
    }
  }

  /// Adds nearest-neighbour upsampling.
  mutating func enlarged(
    _ input: Value, _ operation: UpSampling2D, _ layer: Layer
  ) throws(NetconvError) -> Value {
    // MPSCNN also has a bilinear kernel, but its pixel positions are not documented.
    guard operation.interpolation == .nearest else { throw .notRepeated }
    return add(
      MPSCNNStep(
        layer: layer.name, result: layer.name, kernel: UpsamplingKernel(size: operation.size),
        reads: [input.source], shape: try ImageShape(layer.outputShape)))
  }

  /// Adds a copy of a rectangle of the image.
  mutating func cropped(
    _ input: Value, _ operation: Cropping2D, _ layer: Layer
  ) throws(NetconvError) -> Value {
    let shape = try ImageShape(layer.outputShape)
    guard shape.count > 0 else { throw .noImage(layer.outputShape) }
    return add(
      MPSCNNStep(
        layer: layer.name, result: layer.name,
        kernel: CropKernel(
          corner: MPSCNNStep.Corner(left: operation.left, top: operation.top)),
        reads: [input.source], shape: shape))
  }

  mutating func pooling(
    _ input: Value, _ window: Window2D, isMaximum: Bool, _ layer: Layer
  ) throws(NetconvError) -> Value {
    let sizes = try ImageShape(layer.outputShape)
    let padding = Self.padding(window, input)
    let zeros = input.zeros != Zeros()
    // Explicit zeros count in the mean and padding does not, so a window must not overlap both.
    precondition(!zeros || window.padding == .valid, "such a pooling imagines no zeros")
    let reach = (
      (sizes.height - 1) * window.strides.height + window.size.height - padding.top,
      (sizes.width - 1) * window.strides.width + window.size.width - padding.left
    )
    return add(
      MPSCNNStep(
        layer: layer.name, result: layer.name,
        kernel: PoolingKernel(
          isMaximum: isMaximum, window: window, padding: padding, countsZeros: zeros,
          reachesOutside: padding != MPSCNNStep.Corner(left: 0, top: 0)
            || reach.0 > input.shape.height || reach.1 > input.shape.width),
        reads: [input.source], shape: sizes, remark: Self.remark(window, input)))
  }

  /// Adds a pooling whose window is the whole image.
  mutating func globalPooling(
    _ input: Value, isMaximum: Bool, _ layer: Layer
  ) throws(NetconvError) -> Value {
    let size = Size2D(input.shape.height, input.shape.width)
    let window = Window2D(size: size, strides: .one, padding: .valid)
    return try pooling(input, window, isMaximum: isMaximum, layer)
  }

  /// The distance of the first window from the image's top left corner.
  private static func padding(_ window: Window2D, _ input: Value) -> MPSCNNStep.Corner {
    let zeros = input.zeros
    return MPSCNNStep.Corner(
      left: window.columns.paddingBefore(input.shape.width + zeros.left + zeros.right) + zeros.left,
      top: window.rows.paddingBefore(input.shape.height + zeros.top + zeros.bottom) + zeros.top)
  }

  /// A comment on SAME padding, which TensorFlow does not centre.
  private static func remark(_ window: Window2D, _ input: Value) -> String? {
    guard input.zeros == Zeros() else { return nil }
    return window.unevenPadding(height: input.shape.height, width: input.shape.width)
  }
}

extension NetconvError {
  fileprivate static func dilatedTransposed(_ dilation: Size2D) -> NetconvError {
    NetconvError(
      .badData,
      "a transposed convolution with a dilation of \(dilation.height) x \(dilation.width); it has to be 1"
    )
  }

  fileprivate static var notRepeated: NetconvError {
    NetconvError(.badData, "an upsampling that does not repeat pixels")
  }
}
