import ModelIR
import Operators

/// A fully-connected layer with bias and activation; an image is flattened first, in the order H, W, C.
public struct Dense: NetworkLayer {
  /// The name for looking up the kernel and the bias.
  public let name: String?
  /// The prefix of default names, `dense`.
  public var kind: String { "dense" }
  /// The operator, `Dense`.
  public let operation: any Operator
  /// The bias, if it is omitted.
  public let omittedParameters: Set<ParameterRole>
  /// True by default.
  public let flattensInput: Bool

  /// Creates a fully-connected layer.
  ///
  /// - Parameters:
  ///   - neurons: the number of output values.
  ///   - activation: the activation function, applied to the sum.
  ///   - useBias: true to add a bias.
  ///   - flattens: true to flatten an input of several axes first; otherwise the layer is applied to each step of a
  ///     sequence, or to each pixel of an image, separately.
  ///   - name: the name for looking up the parameters.
  public init(
    neurons: Int, activation: ActivationFunction = .linear, useBias: Bool = true,
    flattens: Bool = true, name: String
  ) {
    operation = Operators.Dense(units: neurons, activation: activation)
    omittedParameters = useBias ? [] : [.bias]
    flattensInput = flattens
    self.name = name
  }
}
