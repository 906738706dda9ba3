import ModelIR
import Operators

/// The kernel for means over unmasked steps.
struct MaskedAverageKernel: FastKernel {
  init(
    _ operation: MaskedAverage, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {}

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    AverageStep(length: inputs[0][0], channels: inputs[0][1])
  }

  private struct AverageStep: KernelStep {
    let length: Int
    let channels: Int

    func run(_ operands: Operands) {
      operands.team.perform(operands.images) { image, _ in
        let x = operands.inputs[0] + image * length * channels
        let mask = operands.inputs[1] + image * length
        let y = operands.output + image * channels
        y.update(repeating: 0, count: channels)
        var steps: Float = 0
        for step in 0..<length {
          steps += mask[step]
          for c in 0..<channels { y[c] += x[step * channels + c] * mask[step] }
        }
        for c in 0..<channels { y[c] /= steps }
      }
    }
  }
}
