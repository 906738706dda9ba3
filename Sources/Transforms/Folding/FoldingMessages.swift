import ModelIR
import Operators

/// The reason why a normalisation cannot be folded.
enum FoldingObstacle {
  case otherAxis(Int)
  case notFinite
  case modelInput(String)
  case noKernel(Layer)
  case activation(String)
  case severalReaders(String, [String])
  case isOutput(String)
  case sharedParameters(String, [String])

  /// The reason as text.
  var text: String {
    switch self {
    case .otherAxis(let axis): "normalises along axis \(axis), which is not the channel axis"
    case .notFinite: "has factors or offsets that float32 cannot hold"
    case .modelInput(let name):
      "reads the model's input \(quoted(name)); there is no kernel before it"
    case .noKernel(let layer):
      "reads \(quoted(layer.name)) (\(type(of: layer.operation).name)), which has no kernel"
    case .activation(let name): "\(quoted(name)) applies its activation before it"
    case .severalReaders(let name, let others):
      "\(quoted(name)) is read by \(others.quotedList) too"
    case .isOutput(let name): "\(quoted(name)) is an output of the model"
    case .sharedParameters(let name, let others):
      "\(quoted(name)) shares its parameters with "
        + others.quotedList
    }
  }

  /// Returns the reason why a normalisation cannot be folded into the layer after it.
  static func behind(_ name: String, _ operation: any Operator) -> String? {
    let imagines = (operation as? any WindowedOperator)?.imaginesZeros
    guard imagines ?? (operation is any ZeroPaddingOperator) else { return nil }
    return "; \(quoted(name)) after it pads with zeros, which are not normalised, so it "
      + "cannot be folded there"
  }
}
