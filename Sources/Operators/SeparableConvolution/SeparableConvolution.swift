import ModelIR

/// A depthwise convolution followed by a pointwise convolution that mixes the channels.
public struct SpatialSeparableConvolution<Space: SpatialAxes>: ConvolvingOperator, CompositeOperator
{
  /// The operator's name in documents, such as `SeparableConvolution2D`.
  public static var name: String { Space.name("SeparableConvolution") }

  /// The number of output channels.
  public let outputChannels: Int
  /// The size of the depthwise kernel.
  public package(set) var kernelSize: SpatialSize<Space>
  /// The number of intermediate channels per input channel.
  public let depthMultiplier: Int
  /// The stride: the distance between outputs, in input positions.
  public package(set) var strides: SpatialSize<Space>
  /// The dilation: the distance between taps, in input positions.
  public package(set) var dilation: SpatialSize<Space>
  /// The padding at the edges, with zeros.
  public package(set) var padding: Padding
  /// The activation function, applied to the sum.
  public var activation: ActivationFunction

  /// Creates a separable convolution with depthwise kernels of `kernelSize`.
  public init(
    outputChannels: Int, kernelSize: SpatialSize<Space>, depthMultiplier: Int = 1,
    strides: SpatialSize<Space> = .one,
    dilation: SpatialSize<Space> = .one, padding: Padding = .valid,
    activation: ActivationFunction = .linear
  ) {
    self.outputChannels = outputChannels
    self.kernelSize = kernelSize
    self.depthMultiplier = depthMultiplier
    self.strides = strides
    self.dilation = dilation
    self.padding = padding
    self.activation = activation
  }

  /// The pointwise kernel; the depthwise half has no bias for folding an offset.
  public static var summedKernel: ParameterRole { .pointwise }

  /// The last axis.
  public static var outputAxes: [Axis] { [.outputChannels] }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case outputChannels
    case kernelSize
    case depthMultiplier
    case strides
    case dilation
    case padding
    case activation
  }

  /// Decodes the attributes; all but channels and kernel size have defaults.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      outputChannels: try attributes.decode(Int.self, forKey: .outputChannels),
      kernelSize: try attributes.decode(SpatialSize<Space>.self, forKey: .kernelSize),
      depthMultiplier: try attributes.value(.depthMultiplier, default: 1),
      strides: try attributes.value(.strides, default: .one),
      dilation: try attributes.value(.dilation, default: .one),
      padding: try attributes.value(.padding, default: .valid),
      activation: try attributes.value(.activation, default: .linear))
  }

  /// The depthwise half, without bias and activation.
  public var depthwise: SpatialDepthwiseConvolution<Space> {
    SpatialDepthwiseConvolution(
      kernelSize: kernelSize, depthMultiplier: depthMultiplier, strides: strides,
      dilation: dilation, padding: padding)
  }

  /// The pointwise half.
  public var pointwise: SpatialConvolution<Space> {
    SpatialConvolution(outputChannels: outputChannels, kernelSize: .one, activation: activation)
  }

  /// The depthwise convolution, followed by the pointwise one.
  package var halves: (OperatorHalf, OperatorHalf) {
    (
      OperatorHalf(operation: depthwise, roles: [.kernel: .depthwise]),
      OperatorHalf(operation: pointwise, roles: [.kernel: .pointwise, .bias: .bias])
    )
  }

  /// Returns the shape: (…, channels) becomes (…, outputChannels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try pointwise.outputShape(for: [try depthwise.outputShape(for: inputs)])
  }

  /// Returns the depthwise kernel, `HWIM` or `WIM`, the pointwise kernel, `HWIO` or `WIO` with H = W = 1, and the bias.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let first = try depthwise.parameters(for: inputs)[0]
    let second = try pointwise.parameters(for: [try depthwise.outputShape(for: inputs)])
    return [
      ParameterSpec(.depthwise, first.kind, first.layout, first.sizes),
      ParameterSpec(.pointwise, second[0].kind, second[0].layout, second[0].sizes),
      second[1],
    ]
  }

  /// y = pointwise(depthwise(x)).
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let (first, second) = halves
    let between = try depthwise.evaluate(inputs, first.parameters(of: parameters))
    return try pointwise.evaluate([between], second.parameters(of: parameters))
  }
}

/// Separable convolution of sequences: (length, channels).
public typealias SeparableConvolution1D = SpatialSeparableConvolution<Line>

/// Separable convolution of images: (height, width, channels).
public typealias SeparableConvolution2D = SpatialSeparableConvolution<Plane>

extension SpatialSeparableConvolution: LineOperator where Space == Line {
  /// The equivalent for images with one row.
  package var planar: SeparableConvolution2D {
    SeparableConvolution2D(
      outputChannels: outputChannels, kernelSize: kernelSize.planar,
      depthMultiplier: depthMultiplier, strides: strides.planar, dilation: dilation.planar,
      padding: padding.planar, activation: activation.planar)
  }
}
