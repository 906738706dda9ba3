import ModelIR
import Operators

/// The kernel for repetitions of a vector.
struct RepeatVectorKernel: FastKernel {
  init(
    _ operation: RepeatVector, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {}

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    RepeatStep(times: output[0], length: output[1])
  }

  private struct RepeatStep: KernelStep {
    let times: Int
    let length: Int

    func run(_ operands: Operands) {
      operands.team.share(
        operands.images * times, smallest: 1 + elementwiseShare / length
      ) { copies, _ in
        for copy in copies {
          (operands.output + copy * length).update(
            from: operands.inputs[0] + copy / times * length, count: length)
        }
      }
    }
  }
}
