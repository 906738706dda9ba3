import ModelIR
import Operators

/// A 2-D convolution with bias and activation.
public struct Convolution: NetworkLayer {
  /// The name by which kernel and bias are asked for.
  public let name: String?
  /// `conv`.
  public var kind: String { "conv" }
  /// `Convolution2D`.
  public let operation: any Operator
  /// The bias, if there is none.
  public let omittedParameters: Set<ParameterRole>

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
    operation = Convolution2D(
      outputChannels: channels, kernelSize: Size2D(kernel), strides: Size2D(stride),
      dilation: Size2D(dilation), groups: groups, padding: padding, activation: activation)
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}

extension Size2D {
  /// A size as tuples of this language have it.
  init(_ size: (width: Int, height: Int)) {
    self.init(size.height, size.width)
  }
}
