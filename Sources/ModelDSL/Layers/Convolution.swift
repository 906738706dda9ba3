import ModelIR
import Operators

/// A convolution with bias and activation: ``Convolution`` of images, ``Convolution1D`` of sequences.
public struct ConvolutionLayer<Space: SpatialAxes>: NetworkLayer {
  /// The name by which kernel and bias are asked for.
  public let name: String?
  /// `conv`.
  public var kind: String { "conv" }
  /// `Convolution2D` or `Convolution1D`.
  public let operation: any Operator
  /// The bias, if there is none.
  public let omittedParameters: Set<ParameterRole>

  private init(_ operation: SpatialConvolution<Space>, useBias: Bool, name: String) {
    self.operation = operation
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}

/// A 2-D convolution with bias and activation.
public typealias Convolution = ConvolutionLayer<Plane>

/// A convolution along a sequence, with bias and activation.
public typealias Convolution1D = ConvolutionLayer<Line>

extension ConvolutionLayer where Space == Plane {
  /// A convolution; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of the kernel.
  ///   - channels: output channels, over all groups.
  ///   - stride: the distance of two outputs, in input pixels.
  ///   - dilation: the distance of two taps, in input pixels.
  ///   - groups: groups of channels that are convolved apart.
  ///   - padding: what happens at the edges; the padding is zeros.
  ///   - activation: applied to the sum.
  ///   - useBias: whether a bias is added.
  ///   - name: the name by which the parameters are asked for.
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
  /// A convolution of (length, channels).
  ///
  /// - Parameters:
  ///   - kernel: the taps of the kernel.
  ///   - channels: output channels, over all groups.
  ///   - stride: the distance of two outputs, in steps of the input.
  ///   - dilation: the distance of two taps, in steps of the input.
  ///   - groups: groups of channels that are convolved apart.
  ///   - padding: what happens at the ends; the padding is zeros. With `causal` all of it is in front.
  ///   - activation: applied to the sum.
  ///   - useBias: whether a bias is added.
  ///   - name: the name by which the parameters are asked for.
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
  /// A size as tuples of this language have it.
  init(_ size: (width: Int, height: Int)) {
    self.init(size.height, size.width)
  }
}
