import ModelIR
import Operators

/// Each position normalised over its own values along an axis; sums in Double, so that long ones lose nothing.
struct LayerNormalizationKernel: FastKernel {
  private let operation: LayerNormalization
  private let gamma: [Float]?
  private let beta: [Float]?

  init(
    _ operation: LayerNormalization, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    self.operation = operation
    gamma = parameters[.gamma]?.values
    beta = parameters[.beta]?.values
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let axis = operation.axis < 0 ? operation.axis + output.count : operation.axis
    let channels = output[axis]
    return Step(
      epsilon: operation.epsilon, gamma: gamma ?? Array(repeating: 1, count: channels),
      beta: beta ?? Array(repeating: 0, count: channels),
      positions: output.reduce(1, *) / channels, stride: output[(axis + 1)...].reduce(1, *))
  }

  private struct Step: KernelStep {
    let epsilon: Double
    let gamma: [Float]
    let beta: [Float]
    let positions: Int
    /// The distance of two values of a position.
    let stride: Int

    func run(_ operands: Operands) {
      gamma.withUnsafeBufferPointer { gamma in
        beta.withUnsafeBufferPointer { beta in
          for position in 0..<positions * operands.images {
            let first = position / stride * stride * gamma.count + position % stride
            normalize(operands.inputs[0] + first, operands.output + first, gamma, beta)
          }
        }
      }
    }

    private func normalize(
      _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>,
      _ gamma: UnsafeBufferPointer<Float>, _ beta: UnsafeBufferPointer<Float>
    ) {
      let count = Double(gamma.count)
      var sum = 0.0
      for c in gamma.indices { sum += Double(x[c * stride]) }
      let mean = sum / count
      var squares = 0.0
      for c in gamma.indices {
        let distance = Double(x[c * stride]) - mean
        squares += distance * distance
      }
      let scale = 1 / (squares / count + epsilon).squareRoot()
      for c in gamma.indices {
        y[c * stride] = Float((Double(x[c * stride]) - mean) * scale) * gamma[c] + beta[c]
      }
    }
  }
}
