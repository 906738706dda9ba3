import Operators

extension ActivationFunction {
  /// The function as Swift's source has it.
  var swiftText: String {
    switch self {
    case .relu: return self == .relu ? ".relu" : self == .relu6 ? ".relu6" : reluText
    case .softmax(let axis): return ".softmax(axis: \(axis.swiftText))"
    case .logSoftmax(let axis): return ".logSoftmax(axis: \(axis.swiftText))"
    // A case with plain numbers, or none, is described as it is written.
    default: return ".\(self)"
    }
  }

  private var reluText: String {
    guard case .relu(let maxValue, let negativeSlope, let threshold) = self else { return ".relu" }
    return ".relu(maxValue: \(maxValue.map { "\($0)" } ?? "nil"), negativeSlope: \(negativeSlope), "
      + "threshold: \(threshold))"
  }
}

extension AxisList {
  /// The axes as Swift's source has them: one, or a list.
  var swiftText: String { axes.count == 1 ? "\(axes[0])" : "\(axes)" }
}
