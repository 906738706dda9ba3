import ModelIR
import Operators

/// The kernel for a constant, which is the same for every image.
struct ConstantKernel: FastKernel {
  private let values: AlignedBuffer<Float>
  private let count: Int

  init(
    _ operation: Constant, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    let values = parameters[.value]?.values ?? []
    self.values = AlignedBuffer(values, filler: 0)
    count = values.count
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    ConstantStep(values: values, count: count)
  }

  private struct ConstantStep: KernelStep {
    let values: AlignedBuffer<Float>
    let count: Int

    func run(_ operands: Operands) {
      operands.team.share(operands.images, smallest: 1 + elementwiseShare / count) { images, _ in
        for image in images {
          (operands.output + image * count).update(from: values.base, count: count)
        }
      }
    }
  }
}
