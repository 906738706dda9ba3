import ModelIR

/// A depthwise convolution, which convolves each channel separately, with bias and activation.
public struct SpatialDepthwiseConvolution<Space: SpatialAxes>: ConvolvingOperator {
  /// The operator's name in documents, such as `DepthwiseConvolution2D`.
  public static var name: String { Space.name("DepthwiseConvolution") }

  /// The size of the kernel.
  public package(set) var kernelSize: SpatialSize<Space>
  /// The number of output channels per input channel.
  public let depthMultiplier: Int
  /// The stride: the distance between outputs, in input positions.
  public package(set) var strides: SpatialSize<Space>
  /// The dilation: the distance between taps, in input positions.
  public package(set) var dilation: SpatialSize<Space>
  /// The padding at the edges, with zeros.
  public package(set) var padding: Padding
  /// The activation function, applied to the sum.
  public var activation: ActivationFunction

  /// Creates a depthwise convolution with kernels of `kernelSize`.
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

  /// The input channels and the multiplier.
  public static var outputAxes: [Axis] { [.inputChannels, .multiplier] }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case kernelSize
    case depthMultiplier
    case strides
    case dilation
    case padding
    case activation
  }

  /// Decodes the attributes; all but the kernel size have defaults.
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

  /// Returns the shape: (…, channels) becomes (…, channels · depthMultiplier).
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

  /// Returns the kernel, `HWIM` or `WIM`, and the bias.
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

/// Depthwise convolution of sequences: (length, channels).
public typealias DepthwiseConvolution1D = SpatialDepthwiseConvolution<Line>

/// Depthwise convolution of images: (height, width, channels).
public typealias DepthwiseConvolution2D = SpatialDepthwiseConvolution<Plane>

extension SpatialDepthwiseConvolution: LineOperator where Space == Line {
  /// The equivalent for images with one row.
  package var planar: DepthwiseConvolution2D {
    DepthwiseConvolution2D(
      kernelSize: kernelSize.planar, depthMultiplier: depthMultiplier, strides: strides.planar,
      dilation: dilation.planar, padding: padding.planar, activation: activation.planar)
  }
}
