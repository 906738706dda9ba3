import ModelIR
import Operators

/// A fully-connected layer with bias and activation; an image is flattened first, in the order H, W, C.
public struct Dense: NetworkLayer {
  /// The name by which kernel and bias are asked for.
  public let name: String?
  /// `dense`.
  public var kind: String { "dense" }
  /// `Dense`.
  public let operation: any Operator
  /// The bias, if there is none.
  public let omittedParameters: Set<ParameterRole>
  /// Yes, unless it was said otherwise.
  public let flattensInput: Bool

  /// A fully-connected layer.
  ///
  /// - Parameters:
  ///   - neurons: output values.
  ///   - activation: applied to the sum.
  ///   - useBias: whether a bias is added.
  ///   - flattens: whether an input of several axes is flattened first; otherwise the layer is applied to each step of a
  ///     sequence, or to each pixel of an image, by itself.
  ///   - name: the name by which the parameters are asked for.
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
