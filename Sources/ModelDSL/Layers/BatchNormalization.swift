import ModelIR
import Operators

/// Batch normalisation of each channel with the statistics from training.
public struct BatchNormalization: NetworkLayer {
  /// The name for looking up the parameters.
  public let name: String?
  /// The prefix of default names, `norm`.
  public var kind: String { "norm" }
  /// The operator, `BatchNormalization`.
  public let operation: any Operator
  /// The scale and the offset, if they are omitted.
  public let omittedParameters: Set<ParameterRole>

  /// Creates a normalisation.
  ///
  /// - Parameters:
  ///   - epsilon: the constant that is added to the variance.
  ///   - axis: the axis with its own statistics, by default the channels; not counting the batch.
  ///   - useScale: true to multiply values by a parameter gamma.
  ///   - useOffset: true to add a parameter beta.
  ///   - name: the name for looking up the parameters.
  public init(
    epsilon: Double = 0.001, axis: Int = -1, useScale: Bool = true, useOffset: Bool = true,
    name: String
  ) {
    operation = Operators.BatchNormalization(epsilon: epsilon, axis: axis)
    omittedParameters = Set(scale: useScale, offset: useOffset)
    self.name = name
  }
}
