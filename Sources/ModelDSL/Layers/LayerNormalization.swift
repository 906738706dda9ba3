import ModelIR
import Operators

/// Normalisation of each position with the statistics of its own values.
public struct LayerNormalization: NetworkLayer {
  /// The name by which the parameters are asked for.
  public let name: String?
  /// `norm`.
  public var kind: String { "norm" }
  /// `LayerNormalization`.
  public let operation: any Operator
  /// Scale and offset, where there are none.
  public let omittedParameters: Set<ParameterRole>

  /// A normalisation.
  ///
  /// - Parameters:
  ///   - epsilon: added to the variance.
  ///   - axis: the axes that are normalised together, by default the channels; counted without the batch.
  ///   - useScale: whether values are multiplied by a parameter gamma.
  ///   - useOffset: whether a parameter beta is added.
  ///   - name: the name by which the parameters are asked for.
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
  /// Those of gamma and beta that a normalisation does without.
  init(scale: Bool, offset: Bool) {
    self = []
    if !scale { insert(.gamma) }
    if !offset { insert(.beta) }
  }
}
