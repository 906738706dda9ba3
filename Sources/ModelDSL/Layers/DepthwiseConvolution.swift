import ModelIR
import Operators

/// A convolution of each channel by itself, with bias and activation: ``DepthwiseConvolution`` of images,
/// ``DepthwiseConvolution1D`` of sequences.
public struct DepthwiseConvolutionLayer<Space: SpatialAxes>: NetworkLayer {
  /// The name by which kernel and bias are asked for.
  public let name: String?
  /// `depthwise`.
  public var kind: String { "depthwise" }
  /// `DepthwiseConvolution2D` or `DepthwiseConvolution1D`.
  public let operation: any Operator
  /// The bias, if there is none.
  public let omittedParameters: Set<ParameterRole>

  private init(_ operation: SpatialDepthwiseConvolution<Space>, useBias: Bool, name: String) {
    self.operation = operation
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}

/// A 2-D convolution of each channel by itself, with bias and activation.
public typealias DepthwiseConvolution = DepthwiseConvolutionLayer<Plane>

/// A convolution of each channel of a sequence by itself, with bias and activation.
public typealias DepthwiseConvolution1D = DepthwiseConvolutionLayer<Line>

extension DepthwiseConvolutionLayer where Space == Plane {
  /// A depthwise convolution; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of the kernel.
  ///   - multiplier: output channels for each input channel.
  ///   - stride: the distance of two outputs, in input pixels.
  ///   - dilation: the distance of two taps, in input pixels.
  ///   - padding: what happens at the edges; the padding is zeros.
  ///   - activation: applied to the sum.
  ///   - useBias: whether a bias is added.
  ///   - name: the name by which the parameters are asked for.
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
  /// A depthwise convolution of (length, channels).
  ///
  /// - Parameters:
  ///   - kernel: the taps of the kernel.
  ///   - multiplier: output channels for each input channel.
  ///   - stride: the distance of two outputs, in steps of the input.
  ///   - dilation: the distance of two taps, in steps of the input.
  ///   - padding: what happens at the ends; the padding is zeros. With `causal` all of it is in front.
  ///   - activation: applied to the sum.
  ///   - useBias: whether a bias is added.
  ///   - name: the name by which the parameters are asked for.
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
