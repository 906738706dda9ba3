import ModelIR
import Operators

// Convolutions, poolings and zero padding of sequences, images and volumes.

/// The strides, dilation and padding of a convolution or pooling.
struct GraphWindow {
  /// The stride along each spatial axis.
  var strides = [1, 1]
  var dilation = [1, 1]
  var padding = Padding.valid
  /// The zeros before and after each spatial axis; `nil` if only `padding` applies.
  var sides: [[Int]]?
  /// True if images and sequences are channels first.
  var isChannelsFirst = false

  var axes: GraphDraft.Axes { isChannelsFirst ? .channelsFirst : .counted(moved: nil) }
}

extension GraphBuilder {
  /// Drafts a convolution of sequences, images or volumes.
  ///
  /// - Parameters:
  ///   - kernel: WIO, HWIO or DHWIO; for a depthwise convolution WIM or HWIM.
  ///   - bias: a number for each output channel.
  mutating func convolve(
    _ input: GraphValue, _ kernel: GraphConstant, _ window: GraphWindow, isDepthwise: Bool,
    bias: GraphConstant? = nil
  ) throws(NetconvError) -> GraphValue {
    let spatial = input.shape.rank - 1
    guard let space = Spaces.axes(spatial), window.strides.count == spatial,
      !isDepthwise || spatial < 3
    else {
      throw .wrongRankOfValue(input.shape, expected: window.strides.count + 2)
    }
    guard kernel.shape.count == spatial + 2 else {
      throw .wrongRankOfConstant(kernel.shape, expected: spatial + 2)
    }
    guard let channels = input.shape.dimensions[window.isChannelsFirst ? 0 : spatial] else {
      throw .openChannels(input.shape)
    }
    let (own, last) = (kernel.shape[spatial], kernel.shape[spatial + 1])
    guard own > 0, channels % own == 0, !isDepthwise || channels == own else {
      throw .wrongKernelChannels(kernel.shape, channels)
    }
    let padded = try pad(input, window)
    func operation<Space: SpatialAxes>(_: Space.Type) -> any Operator {
      let (size, strides, dilation): (SpatialSize<Space>, SpatialSize<Space>, SpatialSize<Space>) =
        (
          SpatialSize(sizes: Array(kernel.shape.prefix(spatial))),
          SpatialSize(sizes: window.strides), SpatialSize(sizes: window.dilation)
        )
      return isDepthwise
        ? SpatialDepthwiseConvolution<Space>(
          kernelSize: size, depthMultiplier: last, strides: strides, dilation: dilation,
          padding: window.padding)
        : SpatialConvolution<Space>(
          outputChannels: last, kernelSize: size, strides: strides, dilation: dilation,
          groups: channels / own, padding: window.padding)
    }
    var parameters: [ParameterRole: GraphDraft.Parameter] = [
      .kernel: GraphDraft.Parameter(
        constant: kernel,
        layout: Layout(
          axes: space.axes + [.inputChannels, isDepthwise ? .multiplier : .outputChannels]))
    ]
    if let bias { parameters[.bias] = GraphDraft.Parameter(constant: bias, layout: nil) }
    return try draft(operation(space), [padded], parameters, axes: window.axes)
  }

  /// Drafts the mean or maximum pooling of sequences, images or volumes.
  mutating func pool(
    _ input: GraphValue, size: [Int], _ window: GraphWindow, isMean: Bool
  ) throws(NetconvError) -> GraphValue {
    let spatial = input.shape.rank - 1
    guard let space = Spaces.axes(spatial), size.count == spatial else {
      throw .wrongRankOfValue(input.shape, expected: size.count + 2)
    }
    let padded = try pad(input, window)
    func operation<Space: SpatialAxes>(_: Space.Type) -> any Operator {
      let (poolSize, strides): (SpatialSize<Space>, SpatialSize<Space>) =
        (SpatialSize(sizes: size), SpatialSize(sizes: window.strides))
      return isMean
        ? SpatialAveragePooling<Space>(
          poolSize: poolSize, strides: strides, padding: window.padding)
        : SpatialMaxPooling<Space>(poolSize: poolSize, strides: strides, padding: window.padding)
    }
    return try draft(operation(space), [padded], axes: window.axes)
  }

  /// Drafts the mean or maximum of each channel of a channels-first input, whose axes are kept.
  mutating func poolAll(_ input: GraphValue, isMean: Bool) throws(NetconvError) -> GraphValue {
    guard let space = Spaces.axes(input.shape.rank - 1) else {
      throw .wrongRankOfValue(input.shape, expected: 4)
    }
    func operation<Space: SpatialAxes>(_: Space.Type) -> any Operator {
      isMean
        ? SpatialGlobalAveragePooling<Space>(keepDimensions: true)
        : SpatialGlobalMaxPooling<Space>(keepDimensions: true)
    }
    return try draft(operation(space), [input], axes: .channelsFirst)
  }

  /// Applies the zero padding of a window to the input.
  mutating func pad(
    _ input: GraphValue, _ window: GraphWindow
  ) throws(NetconvError) -> GraphValue {
    guard let sides = window.sides, sides.contains(where: { $0 != [0, 0] }) else { return input }
    guard sides.joined().allSatisfy({ $0 >= 0 }) else { throw .negativePadding(sides) }
    guard let space = Spaces.axes(sides.count) else { throw .negativePadding(sides) }
    func operation<Space: SpatialAxes>(_: Space.Type) -> any Operator {
      SpatialZeroPadding<Space>(sides: sides)
    }
    return try draft(operation(space), [input], axes: window.axes)
  }

  // MARK: - Space to batch

  /// Drafts a space-to-batch operation.
  mutating func deal(
    _ input: GraphValue, _ block: [Int], _ paddings: [[Int]]
  ) throws(NetconvError) -> GraphValue {
    guard input.shape.rank == block.count + 1 else {
      throw .wrongRankOfValue(input.shape, expected: block.count + 2)
    }
    var dimensions = input.shape.dimensions
    for axis in block.indices {
      guard let length = dimensions[axis] else { throw .openSize(input.shape) }
      let padded = length + paddings[axis][0] + paddings[axis][1]
      guard padded % block[axis] == 0 else { throw .wrongBlock(block) }
      dimensions[axis] = padded / block[axis]
    }
    return draft(
      GraphBlockedValue(input: input, block: block, paddings: paddings), shape: Shape(dimensions))
  }

  /// Drafts a batch-to-space operation, which completes a dilated convolution.
  mutating func collect(
    _ input: GraphValue, _ block: [Int], _ crops: [[Int]]
  ) throws(NetconvError) -> GraphValue {
    guard let blocked = drafts[input.draft].blocked, let convolution = blocked.convolution,
      blocked.block == (blocked.isLine ? [1] + block : block),
      input.shape.rank == block.count + 1
    else { throw .dealsOutMore }
    var base = blocked.input
    let isLine = blocked.isLine
    let allCrops = isLine ? [[0, 0]] + crops : crops
    var window = GraphWindow(dilation: blocked.block, sides: [])
    for (padding, crop) in zip(blocked.paddings, allCrops) {
      // The crop removes padding that only fills up the blocks.
      guard padding[0] >= crop[0], padding[1] >= crop[1] else { throw .dealsOutMore }
      window.sides?.append([padding[0] - crop[0], padding[1] - crop[1]])
    }
    if isLine { base = try reshape(base, to: Shape([1] + base.shape.dimensions)) }
    let value = try convolve(
      base, convolution.kernel, window, isDepthwise: convolution.isDepthwise)
    return isLine
      ? try reshape(value, to: Shape(Array(value.shape.dimensions.dropFirst()))) : value
  }
}

/// A space-to-batch operation, as it begins a dilated convolution: a convolution and a batch-to-space operation
/// follow.
struct GraphBlockedValue {
  /// The value before space-to-batch.
  let input: GraphValue
  /// The block size along each axis.
  var block: [Int]
  /// The zero padding along each axis.
  var paddings: [[Int]]
  /// The kernel of the convolution, if there was one so far.
  var convolution: (kernel: GraphConstant, isDepthwise: Bool)?
  /// True if an axis of size 1 was inserted before the only spatial axis, for the convolution.
  var isLine = false

  /// The same operation, with an axis of size 1 before the only spatial axis.
  var asImage: GraphBlockedValue? {
    guard block.count == 1, convolution == nil else { return nil }
    return GraphBlockedValue(
      input: input, block: [1] + block, paddings: [[0, 0]] + paddings, isLine: true)
  }
}
