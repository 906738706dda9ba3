import ModelIR

/// A factor and an offset for each channel: y = scale · (x - mean) + shift.
package struct ChannelScale: Sendable {
  /// What each channel is multiplied by.
  package let scale: [Double]
  /// What is subtracted before.
  package let mean: [Double]
  /// What is added afterwards.
  package let shift: [Double]

  /// What `operation`, one that ``canFold(_:)`` accepts, does to each channel.
  package init(_ operation: any Operator, _ parameters: [ParameterRole: NDArray<Float>]) {
    let values = { (role: ParameterRole) in parameters[role]?.values.map { Double($0) } }
    if let operation = operation as? BatchNormalization {
      mean = values(.mean) ?? []
      let gamma = values(.gamma) ?? mean.map { _ in 1 }
      scale = zip(gamma, values(.variance) ?? []).map { gamma, variance in
        gamma / (variance + operation.epsilon).squareRoot()
      }
      shift = values(.beta) ?? mean.map { _ in 0 }
    } else {
      scale = values(.gamma) ?? []
      mean = scale.map { _ in 0 }
      shift = mean
    }
  }

  /// Whether `layer` does the same to all pixels of a channel, which is the last axis.
  package static func canFold(_ layer: Layer) -> Bool {
    switch layer.operation {
    case let operation as BatchNormalization:
      operation.axis == -1 || operation.axis == layer.outputShape.rank - 1
    case is Scale: true
    default: false
    }
  }

  /// Whether folding leaves numbers numbers: 0 times an infinite scale would be none.
  package var isFinite: Bool {
    [scale, mean, shift].allSatisfy { $0.allSatisfy { Float($0).isFinite } }
  }
}
