import ModelIR

/// A convolution (strictly, a cross-correlation) with bias and activation.
public struct SpatialConvolution<Space: SpatialAxes>: ConvolvingOperator {
  /// The operator's name in documents, such as `Convolution2D`.
  public static var name: String { Space.name("Convolution") }

  /// The number of output channels in all groups.
  public let outputChannels: Int
  /// The size of the kernel.
  public package(set) var kernelSize: SpatialSize<Space>
  /// The stride: the distance between outputs, in input positions.
  public package(set) var strides: SpatialSize<Space>
  /// The dilation: the distance between taps, in input positions.
  public package(set) var dilation: SpatialSize<Space>
  /// The number of groups of channels that are convolved separately.
  public let groups: Int
  /// The padding at the edges, with zeros.
  public package(set) var padding: Padding
  /// The activation function, applied to the sum.
  public var activation: ActivationFunction

  /// Creates a convolution with kernels of `kernelSize`.
  public init(
    outputChannels: Int, kernelSize: SpatialSize<Space>, strides: SpatialSize<Space> = .one,
    dilation: SpatialSize<Space> = .one,
    groups: Int = 1, padding: Padding = .valid, activation: ActivationFunction = .linear
  ) {
    self.outputChannels = outputChannels
    self.kernelSize = kernelSize
    self.strides = strides
    self.dilation = dilation
    self.groups = groups
    self.padding = padding
    self.activation = activation
  }

  /// The only kernel.
  public static var summedKernel: ParameterRole { .kernel }

  /// The last axis.
  public static var outputAxes: [Axis] { [.outputChannels] }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case outputChannels
    case kernelSize
    case strides
    case dilation
    case groups
    case padding
    case activation
  }

  /// Decodes the attributes; all but channels and kernel size have defaults.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      outputChannels: try attributes.decode(Int.self, forKey: .outputChannels),
      kernelSize: try attributes.decode(SpatialSize<Space>.self, forKey: .kernelSize),
      strides: try attributes.value(.strides, default: .one),
      dilation: try attributes.value(.dilation, default: .one),
      groups: try attributes.value(.groups, default: 1),
      padding: try attributes.value(.padding, default: .valid),
      activation: try attributes.value(.activation, default: .linear))
  }

  /// Returns the shape: (…, channels) becomes (…, outputChannels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Space.self)
    try window.check(sizeName: "kernelSize")
    try checkSizes(("outputChannels", outputChannels), ("groups", groups))
    let size = window.outputSize(input.lengths)
    let output = Shape(size + [outputChannels])
    try activation.check(output)
    return output
  }

  /// Returns the kernel, `HWIO` or `WIO` with I per group, and the bias.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    // Readers may ask for parameters before any shape is inferred.
    try checkSizes(("groups", groups))
    let channels = try inputs[0].lastAxis()
    guard channels % groups == 0, outputChannels % groups == 0 else {
      throw .wrongGroups(groups, input: channels, output: outputChannels)
    }
    return [
      ParameterSpec(
        .kernel, .convolution, Space.layout(.inputChannels, .outputChannels),
        Space.sizes(
          kernelSize, [.inputChannels: channels / groups, .outputChannels: outputChannels])),
      ParameterSpec(.bias, .vector, .o, [.outputChannels: outputChannels], isOptional: true),
    ]
  }
}

/// Convolution of sequences: (length, channels).
public typealias Convolution1D = SpatialConvolution<Line>

/// Convolution of images: (height, width, channels).
public typealias Convolution2D = SpatialConvolution<Plane>

/// Convolution of volumes: (depth, height, width, channels).
public typealias Convolution3D = SpatialConvolution<Volume>

extension SpatialConvolution: LineOperator where Space == Line {
  /// The equivalent for images with one row.
  package var planar: Convolution2D {
    Convolution2D(
      outputChannels: outputChannels, kernelSize: kernelSize.planar, strides: strides.planar,
      dilation: dilation.planar, groups: groups, padding: padding.planar,
      activation: activation.planar)
  }
}
