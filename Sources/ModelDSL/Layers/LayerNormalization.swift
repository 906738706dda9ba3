import ModelIR
import Operators

/// Normalisation of each position with the statistics of its own values.
public struct LayerNormalization: NetworkLayer {
  /// The name for looking up the parameters.
  public let name: String?
  /// The prefix of default names, `norm`.
  public var kind: String { "norm" }
  /// The operator, `LayerNormalization`.
  public let operation: any Operator
  /// The scale and the offset, if they are omitted.
  public let omittedParameters: Set<ParameterRole>

  /// Creates a normalisation.
  ///
  /// - Parameters:
  ///   - epsilon: the constant that is added to the variance.
  ///   - axis: the axes that are normalised together, by default the channels; not counting the batch.
  ///   - useScale: true to multiply values by a parameter gamma.
  ///   - useOffset: true to add a parameter beta.
  ///   - name: the name for looking up the parameters.
  public init(
    epsilon: Double = 0.001, axis: AxisList = -1, useScale: Bool = true, useOffset: Bool = true,
    name: String
  ) {
    operation = Operators.LayerNormalization(epsilon: epsilon, axis: axis)
    omittedParameters = Set(scale: useScale, offset: useOffset)
    self.name = name
  }
}

extension Set<ParameterRole> {
  /// Creates the set of gamma and beta, as far as a normalisation omits them.
  init(scale: Bool, offset: Bool) {
    self = []
    if !scale { insert(.gamma) }
    if !offset { insert(.beta) }
  }
}
