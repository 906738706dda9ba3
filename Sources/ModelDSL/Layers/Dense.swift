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
  /// Yes.
  public var flattensInput: Bool { true }

  /// A fully-connected layer.
  ///
  /// - Parameters:
  ///   - neurons: output values.
  ///   - activation: applied to the sum.
  ///   - useBias: whether a bias is added.
  ///   - name: the name by which the parameters are asked for.
  public init(
    neurons: Int, activation: ActivationFunction = .linear, useBias: Bool = true, name: String
  ) {
    operation = Operators.Dense(units: neurons, activation: activation)
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}
