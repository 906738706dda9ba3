import ModelIR
import Operators

/// A convolution with a separate kernel at each position: ``LocallyConnected`` of images, ``LocallyConnected1D`` of
/// sequences.
public struct LocallyConnectedLayer<Space: SpatialAxes>: NetworkLayer {
  /// The name for looking up the kernels and the biases.
  public let name: String?
  /// The prefix of default names, `local`.
  public var kind: String { "local" }
  /// The operator, `LocallyConnected2D` or `LocallyConnected1D`.
  public let operation: any Operator
  /// The bias, if it is omitted.
  public let omittedParameters: Set<ParameterRole>

  private init(_ operation: SpatialLocallyConnected<Space>, useBias: Bool, name: String) {
    self.operation = operation
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}

/// A 2-D convolution with a separate kernel at each position.
public typealias LocallyConnected = LocallyConnectedLayer<Plane>

/// A convolution of sequences with a separate kernel at each position.
public typealias LocallyConnected1D = LocallyConnectedLayer<Line>

extension LocallyConnectedLayer where Space == Plane {
  /// Creates a locally connected layer without padding; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of each kernel.
  ///   - channels: the number of output channels.
  ///   - stride: the distance between outputs, in input pixels.
  ///   - activation: the activation function, applied to the sum.
  ///   - useBias: true to add a bias.
  ///   - name: the name for looking up the parameters.
  public init(
    kernel: (width: Int, height: Int), channels: Int, stride: (width: Int, height: Int) = (1, 1),
    activation: ActivationFunction = .linear, useBias: Bool = true, name: String
  ) {
    self.init(
      SpatialLocallyConnected(
        outputChannels: channels, kernelSize: Size2D(kernel), strides: Size2D(stride),
        activation: activation),
      useBias: useBias, name: name)
  }
}

extension LocallyConnectedLayer where Space == Line {
  /// Creates a locally connected layer of (length, channels) without padding.
  ///
  /// - Parameters:
  ///   - kernel: the length of each kernel.
  ///   - channels: the number of output channels.
  ///   - stride: the distance between outputs, in input steps.
  ///   - activation: the activation function, applied to the sum.
  ///   - useBias: true to add a bias.
  ///   - name: the name for looking up the parameters.
  public init(
    kernel: Int, channels: Int, stride: Int = 1, activation: ActivationFunction = .linear,
    useBias: Bool = true, name: String
  ) {
    self.init(
      SpatialLocallyConnected(
        outputChannels: channels, kernelSize: Size1D(kernel), strides: Size1D(stride),
        activation: activation),
      useBias: useBias, name: name)
  }
}
