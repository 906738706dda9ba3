import ModelIR
import Operators

/// Attributes shared by several operators.
///
/// Setting one changes nothing else, and has no effect if it is missing.
extension LayerCase {
  /// The activation of the result or, in a recurrent layer, of the candidate state.
  var activation: ActivationFunction? {
    get {
      (operation as? any ActivatedOperator)?.activation
        ?? (operation as? any RecurrentOperator)?.activation
    }
    set {
      guard let newValue else { return }
      change((any ActivatedOperator).self) { $0.activation = newValue }
      change((any RecurrentOperator).self) { $0.activation = newValue }
    }
  }

  /// The activation of the gates.
  var recurrentActivation: ActivationFunction? {
    get { (operation as? any GatedOperator)?.recurrentActivation }
    set {
      if let newValue { change((any GatedOperator).self) { $0.recurrentActivation = newValue } }
    }
  }

  /// The direction and outputs of a recurrent layer.
  var recurrence: Recurrence? {
    get { (operation as? any RecurrentOperator)?.recurrence }
    set {
      if let newValue { change((any RecurrentOperator).self) { $0.recurrence = newValue } }
    }
  }

  /// The number added to the variance.
  var epsilon: Double? {
    get { (operation as? any VarianceOperator)?.epsilon }
    set {
      if let newValue { change((any VarianceOperator).self) { $0.epsilon = newValue } }
    }
  }

  /// The sliding window over an image.
  var window: Window2D? {
    get { (operation as? any WindowedOperator<Plane>)?.window }
    set {
      if let newValue { change((any WindowedOperator<Plane>).self) { $0.window = newValue } }
    }
  }

  /// The zeros around the input.
  var zeroPadding: [[Int]]? {
    get { (operation as? any ZeroPaddingOperator)?.padding }
    set {
      if let newValue { change((any ZeroPaddingOperator).self) { $0.padding = newValue } }
    }
  }

  /// Changes the operator if it conforms to `Attributes`.
  private mutating func change<Attributes>(
    _ attributes: Attributes.Type, _ body: (inout Attributes) -> Void
  ) {
    guard var changed = operation as? Attributes else { return }
    body(&changed)
    if let changed = changed as? any Operator { operation = changed }
  }
}
