import ModelIR
import Operators

/// A depthwise and a pointwise convolution with bias and activation: ``SeparableConvolution`` of images,
/// ``SeparableConvolution1D`` of sequences.
public struct SeparableConvolutionLayer<Space: SpatialAxes>: NetworkLayer {
  /// The name for looking up both kernels and the bias.
  public let name: String?
  /// The prefix of default names, `separable`.
  public var kind: String { "separable" }
  /// The operator, `SeparableConvolution2D` or `SeparableConvolution1D`.
  public let operation: any Operator
  /// The bias, if it is omitted.
  public let omittedParameters: Set<ParameterRole>

  private init(_ operation: SpatialSeparableConvolution<Space>, useBias: Bool, name: String) {
    self.operation = operation
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}

/// A 2-D separable convolution with bias and activation.
public typealias SeparableConvolution = SeparableConvolutionLayer<Plane>

/// A separable convolution of sequences with bias and activation.
public typealias SeparableConvolution1D = SeparableConvolutionLayer<Line>

extension SeparableConvolutionLayer where Space == Plane {
  /// Creates a separable convolution; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of the depthwise kernel.
  ///   - channels: the number of output channels.
  ///   - multiplier: the number of intermediate channels per input channel.
  ///   - stride: the distance between outputs, in input pixels.
  ///   - dilation: the distance between taps, in input pixels.
  ///   - padding: the padding at the edges, with zeros.
  ///   - activation: the activation function, applied to the sum.
  ///   - useBias: true to add a bias.
  ///   - name: the name for looking up the parameters.
  public init(
    kernel: (width: Int, height: Int), channels: Int, multiplier: Int = 1,
    stride: (width: Int, height: Int) = (1, 1), dilation: (width: Int, height: Int) = (1, 1),
    padding: Padding = .same, activation: ActivationFunction = .linear, useBias: Bool = true,
    name: String
  ) {
    self.init(
      SpatialSeparableConvolution(
        outputChannels: channels, kernelSize: Size2D(kernel), depthMultiplier: multiplier,
        strides: Size2D(stride), dilation: Size2D(dilation), padding: padding,
        activation: activation), useBias: useBias, name: name)
  }
}

extension SeparableConvolutionLayer where Space == Line {
  /// Creates a separable convolution of (length, channels).
  ///
  /// - Parameters:
  ///   - kernel: the length of the depthwise kernel.
  ///   - channels: the number of output channels.
  ///   - multiplier: the number of intermediate channels per input channel.
  ///   - stride: the distance between outputs, in input steps.
  ///   - dilation: the distance between taps, in input steps.
  ///   - padding: the padding at the ends, with zeros; `causal` pads only the start.
  ///   - activation: the activation function, applied to the sum.
  ///   - useBias: true to add a bias.
  ///   - name: the name for looking up the parameters.
  public init(
    kernel: Int, channels: Int, multiplier: Int = 1, stride: Int = 1, dilation: Int = 1,
    padding: Padding = .same, activation: ActivationFunction = .linear, useBias: Bool = true,
    name: String
  ) {
    self.init(
      SpatialSeparableConvolution(
        outputChannels: channels, kernelSize: Size1D(kernel), depthMultiplier: multiplier,
        strides: Size1D(stride), dilation: Size1D(dilation), padding: padding,
        activation: activation), useBias: useBias, name: name)
  }
}
