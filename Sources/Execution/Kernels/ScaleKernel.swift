import ModelIR
import Operators

/// Each channel multiplied by a number of its own.
struct ScaleKernel: FastKernel {
  private let gamma: [Float]

  init(_ operation: Scale, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    gamma = parameters[.gamma]?.values ?? []
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    Step(gamma: gamma, pixels: output.dropLast().reduce(1, *))
  }

  private struct Step: KernelStep {
    let gamma: [Float]
    let pixels: Int

    func run(_ operands: Operands) {
      operands.team.share(
        operands.images * pixels, smallest: 1 + elementwiseShare / gamma.count
      ) { pixels, _ in
        run(pixels, operands)
      }
    }

    private func run(_ pixels: Range<Int>, _ operands: Operands) {
      gamma.withUnsafeBufferPointer { gamma in
        for pixel in pixels {
          let x = operands.inputs[0] + pixel * gamma.count
          let y = operands.output + pixel * gamma.count
          for c in gamma.indices { y[c] = x[c] * gamma[c] }
        }
      }
    }
  }
}
