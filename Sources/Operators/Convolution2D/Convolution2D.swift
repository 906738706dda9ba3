import ModelIR

/// A 2-D convolution (cross-correlation, as networks mean it) with bias and activation.
public struct Convolution2D: ConvolvingOperator {
  /// The name in documents.
  public static let name = "Convolution2D"

  /// Output channels, over all groups.
  public let outputChannels: Int
  /// Rows and columns of the kernel.
  public package(set) var kernelSize: Size2D
  /// The distance of two outputs, in input pixels.
  public package(set) var strides: Size2D
  /// The distance of two taps, in input pixels.
  public package(set) var dilation: Size2D
  /// Groups of channels that are convolved apart.
  public let groups: Int
  /// What happens at the edges; the padding is zeros.
  public package(set) var padding: Padding
  /// Applied to the sum.
  public var activation: ActivationFunction

  /// A convolution of `kernelSize`.
  public init(
    outputChannels: Int, kernelSize: Size2D, strides: Size2D = .one, dilation: Size2D = .one,
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
      kernelSize: try attributes.decode(Size2D.self, forKey: .kernelSize),
      strides: try attributes.value(.strides, default: .one),
      dilation: try attributes.value(.dilation, default: .one),
      groups: try attributes.value(.groups, default: 1),
      padding: try attributes.value(.padding, default: .valid),
      activation: try attributes.value(.activation, default: .linear))
  }

  /// (height, width, channels) to (height', width', outputChannels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].image()
    try window.check(sizeName: "kernelSize")
    try checkSizes(("outputChannels", outputChannels), ("groups", groups))
    let size = window.outputSize(height: input.height, width: input.width)
    let output = Shape([size.height, size.width, outputChannels])
    try activation.check(output)
    return output
  }

  /// A kernel, `HWIO` with I per group, and a bias.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let channels = try inputs[0].lastAxis()
    guard channels % groups == 0, outputChannels % groups == 0 else {
      throw .wrongGroups(groups, input: channels, output: outputChannels)
    }
    return [
      ParameterSpec(
        .kernel, .convolution, .hwio,
        [
          .height: kernelSize.height, .width: kernelSize.width,
          .inputChannels: channels / groups, .outputChannels: outputChannels,
        ]),
      ParameterSpec(.bias, .vector, .o, [.outputChannels: outputChannels], isOptional: true),
    ]
  }
}
