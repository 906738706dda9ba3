import ModelIR

/// A convolution of each channel by itself, with bias and activation.
public struct SpatialDepthwiseConvolution<Space: SpatialAxes>: ConvolvingOperator {
  /// The name in documents: `DepthwiseConvolution2D`.
  public static var name: String { Space.name("DepthwiseConvolution") }

  /// The size of the kernel.
  public package(set) var kernelSize: SpatialSize<Space>
  /// Output channels for each input channel.
  public let depthMultiplier: Int
  /// The distance of two outputs, in places of the input.
  public package(set) var strides: SpatialSize<Space>
  /// The distance of two taps, in places of the input.
  public package(set) var dilation: SpatialSize<Space>
  /// What happens at the edges; the padding is zeros.
  public package(set) var padding: Padding
  /// Applied to the sum.
  public var activation: ActivationFunction

  /// A depthwise convolution of `kernelSize`.
  public init(
    kernelSize: SpatialSize<Space>, depthMultiplier: Int = 1, strides: SpatialSize<Space> = .one,
    dilation: SpatialSize<Space> = .one,
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
      kernelSize: try attributes.decode(SpatialSize<Space>.self, forKey: .kernelSize),
      depthMultiplier: try attributes.value(.depthMultiplier, default: 1),
      strides: try attributes.value(.strides, default: .one),
      dilation: try attributes.value(.dilation, default: .one),
      padding: try attributes.value(.padding, default: .valid),
      activation: try attributes.value(.activation, default: .linear))
  }

  /// (…, channels) to (…, channels · depthMultiplier).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Space.self)
    try window.check(sizeName: "kernelSize")
    try checkSizes(("depthMultiplier", depthMultiplier))
    let size = window.outputSize(input.lengths)
    var channels: Int?
    if let known = input.channels { channels = try product([known, depthMultiplier]) }
    let output = Shape(size + [channels])
    try activation.check(output)
    return output
  }

  /// A kernel, `HWIM` or `WIM`, and a bias.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let channels = try inputs[0].lastAxis()
    return [
      ParameterSpec(
        .kernel, .depthwise, Space.layout(.inputChannels, .multiplier),
        Space.sizes(kernelSize, [.inputChannels: channels, .multiplier: depthMultiplier])),
      ParameterSpec(
        .bias, .vector, .o, [.outputChannels: try product([channels, depthMultiplier])],
        isOptional: true),
    ]
  }
}

/// A depthwise convolution over sequences: (length, channels).
public typealias DepthwiseConvolution1D = SpatialDepthwiseConvolution<Line>

/// A depthwise convolution over images: (height, width, channels).
public typealias DepthwiseConvolution2D = SpatialDepthwiseConvolution<Plane>

extension SpatialDepthwiseConvolution: LineOperator where Space == Line {
  /// The same over images of one row.
  package var planar: DepthwiseConvolution2D {
    DepthwiseConvolution2D(
      kernelSize: kernelSize.planar, depthMultiplier: depthMultiplier, strides: strides.planar,
      dilation: dilation.planar, padding: padding.planar, activation: activation.planar)
  }
}
