import ModelIR
import Operators

extension TFJSLayer {
  init<Space>(
    _ className: String, _ convolution: SpatialConvolution<Space>, _ layer: Layer
  ) throws(NetconvError) {
    guard convolution.groups == 1 else { throw .notInTFJS("a convolution of groups") }
    try self.init(
      className, convolution.window, convolution.activation, layer,
      ["filters": convolution.outputChannels], layer.weights((.kernel, "kernel"), (.bias, "bias")))
  }

  init(_ convolution: DepthwiseConvolution2D, _ layer: Layer) throws(NetconvError) {
    // `call` of TensorFlow.js does not pass on the dilation.
    guard convolution.dilation == .one else { throw .notInTFJS("a dilated depthwise convolution") }
    try self.init(
      "DepthwiseConv2D", convolution.window, convolution.activation, layer,
      ["depth_multiplier": convolution.depthMultiplier],
      layer.weights(
        (.depthwise, "depthwise_kernel"), (.kernel, "depthwise_kernel"), (.bias, "bias")))
  }

  init(_ convolution: SeparableConvolution2D, _ layer: Layer) throws(NetconvError) {
    try self.init(
      "SeparableConv2D", convolution.window, convolution.activation, layer,
      [
        "filters": convolution.outputChannels, "depth_multiplier": convolution.depthMultiplier,
      ],
      layer.weights(
        (.depthwise, "depthwise_kernel"), (.pointwise, "pointwise_kernel"), (.bias, "bias")))
  }

  init(_ convolution: TransposedConvolution2D, _ layer: Layer) throws(NetconvError) {
    guard convolution.outputPadding == nil else {
      throw .notInTFJS("a transposed convolution with padding of its output")
    }
    guard convolution.dilation == .one else {
      throw .notInTFJS("a dilated transposed convolution")
    }
    try self.init(
      "Conv2DTranspose", convolution.window, convolution.activation, layer,
      ["filters": convolution.outputChannels], layer.weights((.kernel, "kernel"), (.bias, "bias")))
  }

  /// Creates a convolution; `sizes` are the settings specific to the class.
  private init<Space>(
    _ className: String, _ window: Window<Space>, _ activation: ActivationFunction, _ layer: Layer,
    _ sizes: [String: Int], _ weights: [Weight]
  ) throws(NetconvError) {
    guard window.strides == .one || window.dilation == .one else {
      throw .notInTFJS("a convolution with both strides and dilation")
    }
    self.init(
      className,
      try Self.settings(of: window, size: "kernel_size")
        + sizes.map { ($0, .number(Double($1))) } + [
          ("dilation_rate", .sizes(window.dilation.sizes)), Self.activation(activation, layer),
          layer.flag("use_bias", .bias),
        ], weights: weights)
  }

  /// Returns the settings that convolutions and poolings share.
  static func settings<Space>(
    of window: Window<Space>, size: String
  ) throws(NetconvError) -> [Setting] {
    guard window.padding != .causal else { throw .notInTFJS("a causal convolution") }
    guard window.padding == .same || window.padding == .valid, let padding = window.padding.name
    else { throw .notInTFJS("the padding \(window.padding)") }
    return [
      (size, .sizes(window.size.sizes)), ("strides", .sizes(window.strides.sizes)),
      ("padding", .string(padding)), ("data_format", .string("channels_last")),
    ]
  }
}
