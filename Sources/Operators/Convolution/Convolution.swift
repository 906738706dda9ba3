import ModelIR

/// A convolution (cross-correlation, as networks mean it) with bias and activation.
public struct SpatialConvolution<Space: SpatialAxes>: ConvolvingOperator {
  /// The name in documents: `Convolution2D`.
  public static var name: String { Space.name("Convolution") }

  /// Output channels, over all groups.
  public let outputChannels: Int
  /// The size of the kernel.
  public package(set) var kernelSize: SpatialSize<Space>
  /// The distance of two outputs, in places of the input.
  public package(set) var strides: SpatialSize<Space>
  /// The distance of two taps, in places of the input.
  public package(set) var dilation: SpatialSize<Space>
  /// Groups of channels that are convolved apart.
  public let groups: Int
  /// What happens at the edges; the padding is zeros.
  public package(set) var padding: Padding
  /// Applied to the sum.
  public var activation: ActivationFunction

  /// A convolution of `kernelSize`.
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

  /// Reads the attributes; all but channels and kernel size have defaults.
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

  /// (…, channels) to (…, outputChannels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Space.self)
    try window.check(sizeName: "kernelSize")
    try checkSizes(("outputChannels", outputChannels), ("groups", groups))
    let size = window.outputSize(input.lengths)
    let output = Shape(size + [outputChannels])
    try activation.check(output)
    return output
  }

  /// A kernel, `HWIO` or `WIO` with I per group, and a bias.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    // Readers ask for parameters before any shape is worked out.
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

/// A convolution over sequences: (length, channels).
public typealias Convolution1D = SpatialConvolution<Line>

/// A convolution over images: (height, width, channels).
public typealias Convolution2D = SpatialConvolution<Plane>

extension SpatialConvolution: LineOperator where Space == Line {
  /// The same over images of one row.
  package var planar: Convolution2D {
    Convolution2D(
      outputChannels: outputChannels, kernelSize: kernelSize.planar, strides: strides.planar,
      dilation: dilation.planar, groups: groups, padding: padding.planar,
      activation: activation.planar)
  }
}
