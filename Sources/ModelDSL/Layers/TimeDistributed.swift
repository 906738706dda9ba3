import ModelIR
import Operators

/// A layer applied to each step of a sequence separately: `TimeDistributed(MaxPooling(kernel: (2, 2)))`.
///
/// It has the name of the layer.
public struct TimeDistributed: NetworkLayer {
  private let layer: any NetworkLayer

  /// Creates a layer that applies `layer`, which must have no further inputs, to each step.
  public init(_ layer: some NetworkLayer) {
    self.layer = layer
  }

  /// The name of the layer.
  public var name: String? { layer.name }
  /// The prefix of default names, as for the layer.
  public var kind: String { layer.kind }
  /// The operator, `TimeDistributed` of the layer's operator.
  public var operation: any Operator { Operators.TimeDistributed(layer.operation) }
  /// The parameters that the layer omits.
  public var omittedParameters: Set<ParameterRole> { layer.omittedParameters }

  /// Performs the layer's checks on a step.
  ///
  /// - Throws: `badData` if the steps do not fit, or must be flattened first.
  public func check(_ inputs: [Shape]) throws(NetconvError) {
    let steps = inputs.map { Shape(Array($0.dimensions.dropFirst())) }
    try layer.check(steps)
    guard !layer.flattensInput || steps.allSatisfy({ $0.rank <= 1 }) else {
      throw .stepsNotFlat(steps[0])
    }
  }
}

extension NetconvError {
  fileprivate static func stepsNotFlat(_ step: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "a step has shape \(step), but the layer needs vectors; flatten each step with "
        + "TimeDistributed(Flatten()), or pass flattens: false for the last axis alone")
  }
}
