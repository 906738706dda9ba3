import ModelIR
import Operators

/// Batch normalisation of each channel with the statistics of training.
public struct BatchNormalization: NetworkLayer {
  /// The name by which the parameters are asked for.
  public let name: String?
  /// `norm`.
  public var kind: String { "norm" }
  /// `BatchNormalization`.
  public let operation: any Operator
  /// Scale and offset, where there are none.
  public let omittedParameters: Set<ParameterRole>

  /// A normalisation.
  ///
  /// - Parameters:
  ///   - epsilon: added to the variance.
  ///   - axis: what has its own statistics, by default the channels; counted without the batch.
  ///   - useScale: whether values are multiplied by a parameter gamma.
  ///   - useOffset: whether a parameter beta is added.
  ///   - name: the name by which the parameters are asked for.
  public init(
    epsilon: Double = 0.001, axis: Int = -1, useScale: Bool = true, useOffset: Bool = true,
    name: String
  ) {
    operation = Operators.BatchNormalization(epsilon: epsilon, axis: axis)
    omittedParameters = Set(scale: useScale, offset: useOffset)
    self.name = name
  }
}
