import ModelIR
import Operators

/// A depthwise convolution, and a convolution of single places that mixes its channels, with bias and activation:
/// ``SeparableConvolution`` of images, ``SeparableConvolution1D`` of sequences.
public struct SeparableConvolutionLayer<Space: SpatialAxes>: NetworkLayer {
  /// The name by which both kernels and the bias are asked for.
  public let name: String?
  /// `separable`.
  public var kind: String { "separable" }
  /// `SeparableConvolution2D` or `SeparableConvolution1D`.
  public let operation: any Operator
  /// The bias, if there is none.
  public let omittedParameters: Set<ParameterRole>

  private init(_ operation: SpatialSeparableConvolution<Space>, useBias: Bool, name: String) {
    self.operation = operation
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}

/// A 2-D convolution in two halves, with bias and activation.
public typealias SeparableConvolution = SeparableConvolutionLayer<Plane>

/// A convolution along a sequence in two halves, with bias and activation.
public typealias SeparableConvolution1D = SeparableConvolutionLayer<Line>

extension SeparableConvolutionLayer where Space == Plane {
  /// A separable convolution; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of the depthwise kernel.
  ///   - channels: output channels.
  ///   - multiplier: channels between the halves for each input channel.
  ///   - stride: the distance of two outputs, in input pixels.
  ///   - dilation: the distance of two taps, in input pixels.
  ///   - padding: what happens at the edges; the padding is zeros.
  ///   - activation: applied to the sum.
  ///   - useBias: whether a bias is added.
  ///   - name: the name by which the parameters are asked for.
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
  /// A separable convolution of (length, channels).
  ///
  /// - Parameters:
  ///   - kernel: the taps of the depthwise kernel.
  ///   - channels: output channels.
  ///   - multiplier: channels between the halves for each input channel.
  ///   - stride: the distance of two outputs, in steps of the input.
  ///   - dilation: the distance of two taps, in steps of the input.
  ///   - padding: what happens at the ends; the padding is zeros. With `causal` all of it is in front.
  ///   - activation: applied to the sum.
  ///   - useBias: whether a bias is added.
  ///   - name: the name by which the parameters are asked for.
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
