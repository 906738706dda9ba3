import ModelIR
import Operators

/// A transposed convolution with bias and activation, which enlarges its input: ``TransposedConvolution`` of images,
/// ``TransposedConvolution1D`` of sequences.
public struct TransposedConvolutionLayer<Space: SpatialAxes>: NetworkLayer {
  /// The name for looking up the kernel and the bias.
  public let name: String?
  /// The prefix of default names, `transposed`.
  public var kind: String { "transposed" }
  /// The operator, `TransposedConvolution2D` or `TransposedConvolution1D`.
  public let operation: any Operator
  /// The bias, if it is omitted.
  public let omittedParameters: Set<ParameterRole>

  private init(_ operation: SpatialTransposedConvolution<Space>, useBias: Bool, name: String) {
    self.operation = operation
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}

/// A 2-D transposed convolution with bias and activation.
public typealias TransposedConvolution = TransposedConvolutionLayer<Plane>

/// A transposed convolution of sequences with bias and activation.
public typealias TransposedConvolution1D = TransposedConvolutionLayer<Line>

extension TransposedConvolutionLayer where Space == Plane {
  /// Creates a transposed convolution; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of the kernel.
  ///   - channels: the number of output channels.
  ///   - stride: the distance between inputs, in output pixels.
  ///   - dilation: the distance between taps, in output pixels.
  ///   - padding: the padding, which is cut off at the output's edges.
  ///   - outputPadding: the number of output pixels beyond the minimum; Keras's choice by default.
  ///   - activation: the activation function, applied to the sum.
  ///   - useBias: true to add a bias.
  ///   - name: the name for looking up the parameters.
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
  /// Creates a transposed convolution of (length, channels).
  ///
  /// - Parameters:
  ///   - kernel: the length of the kernel.
  ///   - channels: the number of output channels.
  ///   - stride: the distance between inputs, in output steps.
  ///   - dilation: the distance between taps, in output steps.
  ///   - padding: the padding, which is cut off at the output's ends.
  ///   - outputPadding: the number of output steps beyond the minimum; Keras's choice by default.
  ///   - activation: the activation function, applied to the sum.
  ///   - useBias: true to add a bias.
  ///   - name: the name for looking up the parameters.
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
