import ModelIR

/// A layer for any operator, including those without a layer type of their own.
public struct OperatorLayer: NetworkLayer {
  /// The layer's name, which is required for operators with parameters.
  public let name: String?
  /// The prefix of default names, `layer`.
  public var kind: String { "layer" }
  /// The operator that the layer applies.
  public let operation: any Operator
  /// Optional parameters of the operator that the layer omits.
  public let omittedParameters: Set<ParameterRole>

  /// Creates a layer that applies `operation`.
  public init(
    _ operation: any Operator, omitting omitted: Set<ParameterRole> = [], name: String? = nil
  ) {
    self.operation = operation
    omittedParameters = omitted
    self.name = name
  }
}
