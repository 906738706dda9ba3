import ModelIR
import Operators

/// A convolution with bias and activation: ``Convolution`` of images, ``Convolution1D`` of sequences.
public struct ConvolutionLayer<Space: SpatialAxes>: NetworkLayer {
  /// The name for looking up the kernel and the bias.
  public let name: String?
  /// The prefix of default names, `conv`.
  public var kind: String { "conv" }
  /// The operator, `Convolution2D` or `Convolution1D`.
  public let operation: any Operator
  /// The bias, if it is omitted.
  public let omittedParameters: Set<ParameterRole>

  private init(_ operation: SpatialConvolution<Space>, useBias: Bool, name: String) {
    self.operation = operation
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}

/// A 2-D convolution with bias and activation.
public typealias Convolution = ConvolutionLayer<Plane>

/// A convolution of sequences with bias and activation.
public typealias Convolution1D = ConvolutionLayer<Line>

extension ConvolutionLayer where Space == Plane {
  /// Creates a convolution; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of the kernel.
  ///   - channels: the number of output channels in all groups.
  ///   - stride: the distance between outputs, in input pixels.
  ///   - dilation: the distance between taps, in input pixels.
  ///   - groups: the number of groups of channels that are convolved separately.
  ///   - padding: the padding at the edges, with zeros.
  ///   - activation: the activation function, applied to the sum.
  ///   - useBias: true to add a bias.
  ///   - name: the name for looking up the parameters.
  public init(
    kernel: (width: Int, height: Int), channels: Int, stride: (width: Int, height: Int) = (1, 1),
    dilation: (width: Int, height: Int) = (1, 1), groups: Int = 1, padding: Padding = .same,
    activation: ActivationFunction = .linear, useBias: Bool = true, name: String
  ) {
    self.init(
      SpatialConvolution(
        outputChannels: channels, kernelSize: Size2D(kernel), strides: Size2D(stride),
        dilation: Size2D(dilation), groups: groups, padding: padding, activation: activation),
      useBias: useBias, name: name)
  }
}

extension ConvolutionLayer where Space == Line {
  /// Creates a convolution of (length, channels).
  ///
  /// - Parameters:
  ///   - kernel: the length of the kernel.
  ///   - channels: the number of output channels in all groups.
  ///   - stride: the distance between outputs, in input steps.
  ///   - dilation: the distance between taps, in input steps.
  ///   - groups: the number of groups of channels that are convolved separately.
  ///   - padding: the padding at the ends, with zeros; `causal` pads only the start.
  ///   - activation: the activation function, applied to the sum.
  ///   - useBias: true to add a bias.
  ///   - name: the name for looking up the parameters.
  public init(
    kernel: Int, channels: Int, stride: Int = 1, dilation: Int = 1, groups: Int = 1,
    padding: Padding = .same, activation: ActivationFunction = .linear, useBias: Bool = true,
    name: String
  ) {
    self.init(
      SpatialConvolution(
        outputChannels: channels, kernelSize: Size1D(kernel), strides: Size1D(stride),
        dilation: Size1D(dilation), groups: groups, padding: padding, activation: activation),
      useBias: useBias, name: name)
  }
}

extension Size2D {
  /// Creates a size from a tuple (width, height).
  init(_ size: (width: Int, height: Int)) {
    self.init(size.height, size.width)
  }
}
