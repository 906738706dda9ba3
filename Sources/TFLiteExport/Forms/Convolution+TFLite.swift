import FlatBuffers
import ModelIR
import Operators

extension SpatialConvolution: TFLiteForm where Space: PlanarAxes {
  static var tfliteOperations: String {
    "`CONV_2D`; of sequences between `EXPAND_DIMS` and `SQUEEZE`"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let kernel = try layer.required(.kernel)
    let matrix = try graph.parameter(
      kernel, as: .of([.outputChannels], Space.axes, [.inputChannels]),
      shape: [outputChannels] + kernelSize.sizes.planarSizes + [
        kernel.spec.sizes[.inputChannels] ?? 1
      ])
    let sum = try graph.convolve(
      .conv2D, x[0], window, matrix, layer, outputChannels, isMain: !activation.isLinear)
    return [try graph.activate(sum, activation)]
  }
}

extension SpatialDepthwiseConvolution: TFLiteForm {
  static var tfliteOperations: String {
    "`DEPTHWISE_CONV_2D`; of sequences between `EXPAND_DIMS` and `SQUEEZE`"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let kernel = try layer.required(.kernel)
    let channels = (kernel.spec.sizes[.inputChannels] ?? 1) * depthMultiplier
    let matrix = try graph.parameter(
      kernel, as: .of([], Space.axes, [.inputChannels, .multiplier]),
      shape: [1] + kernelSize.sizes.planarSizes + [channels])
    let sum = try graph.convolve(
      .depthwiseConv2D, x[0], window, matrix, layer, channels, multiplier: depthMultiplier,
      isMain: !activation.isLinear)
    return [try graph.activate(sum, activation)]
  }
}

extension SpatialSeparableConvolution: TFLiteForm where Space: PlanarAxes {
  static var tfliteOperations: String { "`DEPTHWISE_CONV_2D`, `CONV_2D`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let (first, second) = halves
    let shape = try depthwise.outputShape(for: [x[0].shape])
    let between = try depthwise.write(
      x, TFLiteLayer(shape, first.parameters(of: layer.parameters)), to: &graph)
    return try pointwise.write(
      between, TFLiteLayer(layer.shape, second.parameters(of: layer.parameters)), to: &graph)
  }
}

extension TFLiteGraphBuilder {
  /// Adds a convolution with its bias.
  ///
  /// - Parameters:
  ///   - multiplier: the channel multiplier of a depthwise convolution.
  ///   - isMain: true if an activation follows.
  fileprivate mutating func convolve<Space>(
    _ type: TFLiteBuiltin, _ x: TFLiteValue, _ window: Window<Space>, _ kernel: TFLiteValue,
    _ layer: TFLiteLayer, _ channels: Int, multiplier: Int? = nil, isMain: Bool
  ) throws(NetconvError) -> TFLiteValue {
    let (window, input) = try self.window(window, over: planar(try expanded(x), Space.self))
    var fields = window.fields
    if let multiplier { fields[3] = .int(multiplier) }
    let dilation = multiplier == nil ? 4 : 5
    if window.axes.contains(where: { $0.dilation > 1 }) {
      fields[dilation] = .int(window.axes[1].dilation)
      fields[dilation + 1] = .int(window.axes[0].dilation)
    }
    var operands = [input, kernel]
    if let bias = layer.parameters[.bias] {
      operands.append(try parameter(bias))
    } else {
      // The format has no convolution without a bias: kernels read it unconditionally.
      operands.append(floats([Double](repeating: 0, count: channels), [channels]))
    }
    let sum = add(
      type, operands, (multiplier == nil ? 1 : 2, fields),
      sizes: [input.sizes[0]] + window.lengths + [.fixed(channels)],
      isMain: isMain && Space.axes.count == 2)
    return lines(sum, Space.self)
  }
}

extension Layout {
  /// Returns the layout of a kernel: a dimension, the spatial axes, and another dimension.
  static func of(
    _ first: [Axis], _ spatial: [Axis], _ last: [Axis]
  ) throws(NetconvError) -> Layout {
    try Layout([Dimension(first)] + spatial.map { Dimension([$0]) } + [Dimension(last)])
  }
}

extension [Int] {
  /// The sizes of a kernel over images; one over sequences has one row.
  var planarSizes: [Int] { count == 1 ? [1] + self : self }
}
