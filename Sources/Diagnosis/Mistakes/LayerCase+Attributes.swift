import ModelIR
import Operators

/// Attributes that several operators have; setting one changes nothing else, and does nothing where it is missing.
extension LayerCase {
  /// The function that is applied to the result.
  var activation: ActivationFunction? {
    get { (operation as? any ActivatedOperator)?.activation }
    set {
      guard var changed = operation as? any ActivatedOperator, let newValue else { return }
      changed.activation = newValue
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
