import ModelIR
import Operators

/// The meaning of an output's values, as far as the layer that computes them determines it.
enum OutputKind: Equatable {
  /// The probabilities of all classes, or their logarithms.
  case probabilities
  /// Independent probabilities, or other values from 0 to 1.
  case fractions
  /// Sums without an activation, from the named layer: logits or quantities.
  case linear(String)
  /// Values of another activation, in the named layer.
  case numbers(String)
  /// Not determined by the layer.
  case unknown
}

extension Model {
  /// Returns the meaning of an output's values, as determined by the last layer that does more than move values.
  func kind(of output: String) -> OutputKind {
    guard let layer = producer(of: output)?.layer else { return .unknown }
    if layer.operation.valueEffect != .computed, layer.inputs.count == 1 {
      return kind(of: layer.inputs[0])
    }
    return layer.operation.kind(in: layer.name)
  }
}

extension Operator {
  /// Returns the meaning of this operator's values in a layer.
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
