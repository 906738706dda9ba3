import ModelIR
import Operators

/// A 2-D convolution of each channel by itself, with bias and activation.
public struct DepthwiseConvolution: NetworkLayer {
  /// The name by which kernel and bias are asked for.
  public let name: String?
  /// `depthwise`.
  public var kind: String { "depthwise" }
  /// `DepthwiseConvolution2D`.
  public let operation: any Operator
  /// The bias, if there is none.
  public let omittedParameters: Set<ParameterRole>

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
    operation = DepthwiseConvolution2D(
      kernelSize: Size2D(kernel), depthMultiplier: multiplier, strides: Size2D(stride),
      dilation: Size2D(dilation), padding: padding, activation: activation)
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}
