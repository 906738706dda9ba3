import ModelIR

/// Any operator as a layer, for those that this language has no word for.
public struct OperatorLayer: NetworkLayer {
  /// What it is called; an operator with parameters needs a name.
  public let name: String?
  /// `layer`.
  public var kind: String { "layer" }
  /// What it computes.
  public let operation: any Operator
  /// Optional parameters of the operator that it does without.
  public let omittedParameters: Set<ParameterRole>

  /// A layer that computes `operation`.
  public init(
    _ operation: any Operator, omitting omitted: Set<ParameterRole> = [], name: String? = nil
  ) {
    self.operation = operation
    omittedParameters = omitted
    self.name = name
  }
}
