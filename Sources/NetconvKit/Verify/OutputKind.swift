import ModelIR
import Operators

/// What the values of an output are, as far as the layer that computes them tells.
enum OutputKind: Equatable {
  /// Probabilities of classes, or their logarithms, side by side.
  case probabilities
  /// A probability each, or anything else from 0 to 1.
  case fractions
  /// Sums without an activation, from the layer of this name: logits, or quantities.
  case linear(String)
  /// Numbers that an activation of another kind gives, in the layer of this name.
  case numbers(String)
  /// The layer does not tell.
  case unknown
}

extension Model {
  /// What the values of an output are: what the last layer that computes something says, behind layers that only move
  /// values.
  func kind(of output: String) -> OutputKind {
    guard let layer = producer(of: output)?.layer else { return .unknown }
    if layer.operation.valueEffect != .computed, layer.inputs.count == 1 {
      return kind(of: layer.inputs[0])
    }
    return layer.operation.kind(in: layer.name)
  }
}

extension Operator {
  /// What the values of this operator are in a layer.
  fileprivate func kind(in layer: String) -> OutputKind {
    if let steps = self as? any StepwiseOperator { return steps.operation.kind(in: layer) }
    return switch (self as? any ActivatedOperator)?.activation {
    case .softmax, .logSoftmax: .probabilities
    case .sigmoid, .hardSigmoid, .sparseSigmoid: .fractions
    case .linear: .linear(layer)
    case .some: .numbers(layer)
    case nil: .unknown
    }
  }
}
