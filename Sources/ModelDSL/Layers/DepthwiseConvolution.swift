import ModelIR
import Operators

/// A depthwise convolution with bias and activation: ``DepthwiseConvolution`` of images, ``DepthwiseConvolution1D`` of
/// sequences.
public struct DepthwiseConvolutionLayer<Space: SpatialAxes>: NetworkLayer {
  /// The name for looking up the kernel and the bias.
  public let name: String?
  /// The prefix of default names, `depthwise`.
  public var kind: String { "depthwise" }
  /// The operator, `DepthwiseConvolution2D` or `DepthwiseConvolution1D`.
  public let operation: any Operator
  /// The bias, if it is omitted.
  public let omittedParameters: Set<ParameterRole>

  private init(_ operation: SpatialDepthwiseConvolution<Space>, useBias: Bool, name: String) {
    self.operation = operation
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}

/// A 2-D depthwise convolution with bias and activation.
public typealias DepthwiseConvolution = DepthwiseConvolutionLayer<Plane>

/// A depthwise convolution of sequences with bias and activation.
public typealias DepthwiseConvolution1D = DepthwiseConvolutionLayer<Line>

extension DepthwiseConvolutionLayer where Space == Plane {
  /// Creates a depthwise convolution; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of the kernel.
  ///   - multiplier: the number of output channels per input channel.
  ///   - stride: the distance between outputs, in input pixels.
  ///   - dilation: the distance between taps, in input pixels.
  ///   - padding: the padding at the edges, with zeros.
  ///   - activation: the activation function, applied to the sum.
  ///   - useBias: true to add a bias.
  ///   - name: the name for looking up the parameters.
  public init(
    kernel: (width: Int, height: Int), multiplier: Int = 1,
    stride: (width: Int, height: Int) = (1, 1), dilation: (width: Int, height: Int) = (1, 1),
    padding: Padding = .same, activation: ActivationFunction = .linear, useBias: Bool = true,
    name: String
  ) {
    self.init(
      SpatialDepthwiseConvolution(
        kernelSize: Size2D(kernel), depthMultiplier: multiplier, strides: Size2D(stride),
        dilation: Size2D(dilation), padding: padding, activation: activation),
      useBias: useBias, name: name)
  }
}

extension DepthwiseConvolutionLayer where Space == Line {
  /// Creates a depthwise convolution of (length, channels).
  ///
  /// - Parameters:
  ///   - kernel: the length of the kernel.
  ///   - multiplier: the number of output channels per input channel.
  ///   - stride: the distance between outputs, in input steps.
  ///   - dilation: the distance between taps, in input steps.
  ///   - padding: the padding at the ends, with zeros; `causal` pads only the start.
  ///   - activation: the activation function, applied to the sum.
  ///   - useBias: true to add a bias.
  ///   - name: the name for looking up the parameters.
  public init(
    kernel: Int, multiplier: Int = 1, stride: Int = 1, dilation: Int = 1, padding: Padding = .same,
    activation: ActivationFunction = .linear, useBias: Bool = true, name: String
  ) {
    self.init(
      SpatialDepthwiseConvolution(
        kernelSize: Size1D(kernel), depthMultiplier: multiplier, strides: Size1D(stride),
        dilation: Size1D(dilation), padding: padding, activation: activation),
      useBias: useBias, name: name)
  }
}
