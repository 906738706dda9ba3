import ModelIR
import Operators

/// A convolution backwards, which enlarges its input, with bias and activation: ``TransposedConvolution`` of images,
/// ``TransposedConvolution1D`` of sequences.
public struct TransposedConvolutionLayer<Space: SpatialAxes>: NetworkLayer {
  /// The name by which kernel and bias are asked for.
  public let name: String?
  /// `transposed`.
  public var kind: String { "transposed" }
  /// `TransposedConvolution2D` or `TransposedConvolution1D`.
  public let operation: any Operator
  /// The bias, if there is none.
  public let omittedParameters: Set<ParameterRole>

  private init(_ operation: SpatialTransposedConvolution<Space>, useBias: Bool, name: String) {
    self.operation = operation
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}

/// A 2-D convolution backwards, with bias and activation.
public typealias TransposedConvolution = TransposedConvolutionLayer<Plane>

/// A convolution along a sequence backwards, with bias and activation.
public typealias TransposedConvolution1D = TransposedConvolutionLayer<Line>

extension TransposedConvolutionLayer where Space == Plane {
  /// A transposed convolution; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of the kernel.
  ///   - channels: output channels.
  ///   - stride: the distance of two inputs, in pixels of the output.
  ///   - dilation: the distance of two taps, in pixels of the output.
  ///   - padding: whether the output's edges are cut off.
  ///   - outputPadding: pixels of the output beyond the smallest; by default what Keras chooses.
  ///   - activation: applied to the sum.
  ///   - useBias: whether a bias is added.
  ///   - name: the name by which the parameters are asked for.
  public init(
    kernel: (width: Int, height: Int), channels: Int, stride: (width: Int, height: Int) = (1, 1),
    dilation: (width: Int, height: Int) = (1, 1), padding: Padding = .same,
    outputPadding: (width: Int, height: Int)? = nil, activation: ActivationFunction = .linear,
    useBias: Bool = true, name: String
  ) {
    self.init(
      SpatialTransposedConvolution(
        outputChannels: channels, kernelSize: Size2D(kernel), strides: Size2D(stride),
        dilation: Size2D(dilation), padding: padding,
        outputPadding: outputPadding.map { Size2D($0) }, activation: activation),
      useBias: useBias, name: name)
  }
}

extension TransposedConvolutionLayer where Space == Line {
  /// A transposed convolution of (length, channels).
  ///
  /// - Parameters:
  ///   - kernel: the taps of the kernel.
  ///   - channels: output channels.
  ///   - stride: the distance of two inputs, in steps of the output.
  ///   - dilation: the distance of two taps, in steps of the output.
  ///   - padding: whether the output's ends are cut off.
  ///   - outputPadding: steps of the output beyond the smallest; by default what Keras chooses.
  ///   - activation: applied to the sum.
  ///   - useBias: whether a bias is added.
  ///   - name: the name by which the parameters are asked for.
  public init(
    kernel: Int, channels: Int, stride: Int = 1, dilation: Int = 1, padding: Padding = .same,
    outputPadding: Int? = nil, activation: ActivationFunction = .linear, useBias: Bool = true,
    name: String
  ) {
    self.init(
      SpatialTransposedConvolution(
        outputChannels: channels, kernelSize: Size1D(kernel), strides: Size1D(stride),
        dilation: Size1D(dilation), padding: padding, outputPadding: outputPadding.map(Size1D.init),
        activation: activation), useBias: useBias, name: name)
  }
}
