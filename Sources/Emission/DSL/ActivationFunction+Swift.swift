import Operators

extension ActivationFunction {
  /// The Swift source text of the function.
  var swiftText: String {
    switch self {
    case .relu: return self == .relu ? ".relu" : self == .relu6 ? ".relu6" : reluText
    case .softmax(let axis): return ".softmax(axis: \(axis.swiftText))"
    case .logSoftmax(let axis): return ".logSoftmax(axis: \(axis.swiftText))"
    // A case with no or only numeric associated values describes itself in Swift syntax.
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
  /// The Swift source text of the axes: a single axis, or an array literal.
  var swiftText: String { axes.count == 1 ? "\(axes[0])" : "\(axes)" }
}
