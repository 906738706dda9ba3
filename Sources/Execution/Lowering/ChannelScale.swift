import ModelIR
import Operators

/// A factor and an offset for each channel: y = scale · (x - mean) + shift.
struct ChannelScale: Sendable {
  let scale: [Double]
  let mean: [Double]
  let shift: [Double]

  /// What `operation`, one that ``canFold(_:)`` accepts, does to each channel.
  init(_ operation: any Operator, _ parameters: [ParameterRole: NDArray<Float>]) {
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
  static func canFold(_ layer: Layer) -> Bool {
    switch layer.operation {
    case let operation as BatchNormalization:
      operation.axis == -1 || operation.axis == layer.outputShape.rank - 1
    case is Scale: true
    default: false
    }
  }

  /// Whether folding leaves numbers numbers: 0 times an infinite scale would be none.
  var isFinite: Bool {
    [scale, mean, shift].allSatisfy { $0.allSatisfy { Float($0).isFinite } }
  }

  /// Changes a kernel and its bias so that they give the scaled result.
  ///
  /// Each weight is rounded once more, by half a unit in its last place.
  func fold(into parameters: inout [ParameterRole: NDArray<Float>]) {
    let channels = scale.count
    if var kernel = parameters[.kernel] {
      parameters[.kernel] = nil
      for index in kernel.values.indices {
        kernel.values[index] = Float(Double(kernel.values[index]) * scale[index % channels])
      }
      parameters[.kernel] = kernel
    }
    let bias = parameters[.bias]?.values ?? Array(repeating: 0, count: channels)
    parameters[.bias] = NDArray(
      shape: [channels],
      values: (0..<channels).map { Float(scale[$0] * (Double(bias[$0]) - mean[$0]) + shift[$0]) })
  }
}
