import ModelIR
import Operators

/// A convolution that has a kernel of its own at each place: ``LocallyConnected`` of images, ``LocallyConnected1D`` of
/// sequences.
public struct LocallyConnectedLayer<Space: SpatialAxes>: NetworkLayer {
  /// The name by which kernels and biases are asked for.
  public let name: String?
  /// `local`.
  public var kind: String { "local" }
  /// `LocallyConnected2D` or `LocallyConnected1D`.
  public let operation: any Operator
  /// The bias, if there is none.
  public let omittedParameters: Set<ParameterRole>

  private init(_ operation: SpatialLocallyConnected<Space>, useBias: Bool, name: String) {
    self.operation = operation
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}

/// A 2-D convolution that has a kernel of its own at each place.
public typealias LocallyConnected = LocallyConnectedLayer<Plane>

/// A convolution along a sequence that has a kernel of its own at each place.
public typealias LocallyConnected1D = LocallyConnectedLayer<Line>

extension LocallyConnectedLayer where Space == Plane {
  /// A convolution whose windows stay inside the image; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of each kernel.
  ///   - channels: output channels.
  ///   - stride: the distance of two outputs, in input pixels.
  ///   - activation: applied to the sum.
  ///   - useBias: whether a bias is added.
  ///   - name: the name by which the parameters are asked for.
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
  /// A convolution of (length, channels) whose windows stay inside.
  ///
  /// - Parameters:
  ///   - kernel: the taps of each kernel.
  ///   - channels: output channels.
  ///   - stride: the distance of two outputs, in steps of the input.
  ///   - activation: applied to the sum.
  ///   - useBias: whether a bias is added.
  ///   - name: the name by which the parameters are asked for.
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
