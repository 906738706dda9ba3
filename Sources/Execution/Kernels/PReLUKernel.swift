import ModelIR
import Operators

/// A rectifier whose slope below 0 is learned.
struct PReLUKernel: FastKernel {
  private let alpha: NDArray<Float>

  init(_ operation: PReLU, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    alpha = parameters[.alpha] ?? NDArray(shape: [0])
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let places = BroadcastPlaces(of: alpha.shape, in: output)
    return Step(slopes: (0..<output.reduce(1, *)).map { alpha.values[places[$0]] })
  }

  private struct Step: KernelStep {
    /// One for each value of an image.
    let slopes: [Float]

    func run(_ operands: Operands) {
      slopes.withUnsafeBufferPointer { slopes in
        for image in 0..<operands.images {
          let x = operands.inputs[0] + image * slopes.count
          let y = operands.output + image * slopes.count
          for i in slopes.indices { y[i] = x[i] < 0 ? slopes[i] * x[i] : x[i] }
        }
      }
    }
  }
}
