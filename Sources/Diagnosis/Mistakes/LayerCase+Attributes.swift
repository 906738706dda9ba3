import ModelIR
import Operators

/// Attributes that several operators have; setting one changes nothing else, and does nothing where it is missing.
extension LayerCase {
  /// The function that is applied to the result, of a recurrent layer to the new value.
  var activation: ActivationFunction? {
    get {
      (operation as? any ActivatedOperator)?.activation
        ?? (operation as? any RecurrentOperator)?.activation
    }
    set {
      guard let newValue else { return }
      if var changed = operation as? any ActivatedOperator {
        changed.activation = newValue
        operation = changed
      } else if var changed = operation as? any RecurrentOperator {
        changed.activation = newValue
        operation = changed
      }
    }
  }

  /// The function that is applied to the gates.
  var recurrentActivation: ActivationFunction? {
    get { (operation as? any GatedOperator)?.recurrentActivation }
    set {
      guard var changed = operation as? any GatedOperator, let newValue else { return }
      changed.recurrentActivation = newValue
      operation = changed
    }
  }

  /// How a recurrent layer goes through a sequence.
  var recurrence: Recurrence? {
    get { (operation as? any RecurrentOperator)?.recurrence }
    set {
      guard var changed = operation as? any RecurrentOperator, let newValue else { return }
      changed.recurrence = newValue
      operation = changed
    }
  }

  /// What is added to a variance.
  var epsilon: Double? {
    get { (operation as? any VarianceOperator)?.epsilon }
    set {
      guard var changed = operation as? any VarianceOperator, let newValue else { return }
      changed.epsilon = newValue
      operation = changed
    }
  }

  /// The window that slides over an image.
  var window: Window2D? {
    get { (operation as? any WindowedOperator<Plane>)?.window }
    set {
      guard var changed = operation as? any WindowedOperator<Plane>, let newValue else { return }
      changed.window = newValue
      operation = changed
    }
  }

  /// The zeros around the input.
  var zeroPadding: [[Int]]? {
    get { (operation as? any ZeroPaddingOperator)?.padding }
    set {
      guard var changed = operation as? any ZeroPaddingOperator, let newValue else { return }
      changed.padding = newValue
      operation = changed
    }
  }
}
