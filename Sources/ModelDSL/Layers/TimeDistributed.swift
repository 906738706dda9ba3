import ModelIR
import Operators

/// A layer that is applied to each step of a sequence by itself: `TimeDistributed(MaxPooling(kernel: (2, 2)))`.
///
/// It is called what the layer is called.
public struct TimeDistributed: NetworkLayer {
  private let layer: any NetworkLayer

  /// `layer` at each step: one that takes nothing but the step.
  public init(_ layer: some NetworkLayer) {
    self.layer = layer
  }

  /// That of the layer.
  public var name: String? { layer.name }
  /// That of the layer.
  public var kind: String { layer.kind }
  /// `TimeDistributed` of what the layer computes.
  public var operation: any Operator { Operators.TimeDistributed(layer.operation) }
  /// Those of the layer.
  public var omittedParameters: Set<ParameterRole> { layer.omittedParameters }

  /// Checks what the layer checks, for a step.
  ///
  /// - Throws: `badData` if the steps do not fit, or have to be flattened first.
  public func check(_ inputs: [Shape]) throws(NetconvError) {
    let steps = inputs.map { Shape(Array($0.dimensions.dropFirst())) }
    try layer.check(steps)
    guard !layer.flattensInput || steps.allSatisfy({ $0.rank <= 1 }) else {
      throw .stepsNotFlat(steps[0])
    }
  }
}
