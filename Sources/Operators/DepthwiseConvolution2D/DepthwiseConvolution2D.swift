import ModelIR

/// A 2-D convolution of each channel by itself, with bias and activation.
public struct DepthwiseConvolution2D: ConvolvingOperator {
  /// The name in documents.
  public static let name = "DepthwiseConvolution2D"

  /// Rows and columns of the kernel.
  public package(set) var kernelSize: Size2D
  /// Output channels for each input channel.
  public let depthMultiplier: Int
  /// The distance of two outputs, in input pixels.
  public package(set) var strides: Size2D
  /// The distance of two taps, in input pixels.
  public package(set) var dilation: Size2D
  /// What happens at the edges; the padding is zeros.
  public package(set) var padding: Padding
  /// Applied to the sum.
  public var activation: ActivationFunction

  /// A depthwise convolution of `kernelSize`.
  public init(
    kernelSize: Size2D, depthMultiplier: Int = 1, strides: Size2D = .one, dilation: Size2D = .one,
    padding: Padding = .valid, activation: ActivationFunction = .linear
  ) {
    self.kernelSize = kernelSize
    self.depthMultiplier = depthMultiplier
    self.strides = strides
    self.dilation = dilation
    self.padding = padding
    self.activation = activation
  }

  /// The only kernel.
  public static var summedKernel: ParameterRole { .kernel }

  /// Each input channel has channels of its own.
  public static var outputAxes: [Axis] { [.inputChannels, .multiplier] }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case kernelSize
    case depthMultiplier
    case strides
    case dilation
    case padding
    case activation
  }

  /// Reads the attributes; all but the kernel size have defaults.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      kernelSize: try attributes.decode(Size2D.self, forKey: .kernelSize),
      depthMultiplier: try attributes.value(.depthMultiplier, default: 1),
      strides: try attributes.value(.strides, default: .one),
      dilation: try attributes.value(.dilation, default: .one),
      padding: try attributes.value(.padding, default: .valid),
      activation: try attributes.value(.activation, default: .linear))
  }

  /// (height, width, channels) to (height', width', channels · depthMultiplier).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].image()
    try window.check(sizeName: "kernelSize")
    try checkSizes(("depthMultiplier", depthMultiplier))
    let size = window.outputSize(height: input.height, width: input.width)
    var channels: Int?
    if let known = input.channels { channels = try product([known, depthMultiplier]) }
    let output = Shape([size.height, size.width, channels])
    try activation.check(output)
    return output
  }

  /// A kernel, `HWIM`, and a bias.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let channels = try inputs[0].lastAxis()
    return [
      ParameterSpec(
        .kernel, .depthwise, .hwim,
        [
          .height: kernelSize.height, .width: kernelSize.width, .inputChannels: channels,
          .multiplier: depthMultiplier,
        ]),
      ParameterSpec(
        .bias, .vector, .o, [.outputChannels: try product([channels, depthMultiplier])],
        isOptional: true),
    ]
  }
}
