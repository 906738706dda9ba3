import Documents
import ModelIR

/// The errors of the RTNeural reader.
extension NetconvError {
  static func noLayers(_ place: String) -> NetconvError {
    NetconvError(.badData, "\(quoted(place)) is empty, expected at least one layer")
  }

  static func wrongRTNeuralGroups(_ groups: Int, _ input: Int, _ output: Int) -> NetconvError {
    NetconvError(
      .badData, "\(groups) groups do not divide \(input) input and \(output) output channels")
  }

  static func statedShape(_ stated: Shape, _ found: Shape) -> NetconvError {
    NetconvError(.badData, "its shape is \(stated), but its input and weights result in \(found)")
  }
}

extension SourceNote {
  /// The introduction of a file's own remarks.
  static let remarksText = "the file says of itself"
}
