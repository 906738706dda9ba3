internal import CKernels
import ModelIR
import Operators

/// The kernel for a gated linear unit: one half of the values times the sigmoid of the other.
struct GatedLinearUnitKernel: FastKernel {
  private let operation: GatedLinearUnit
  private let level: CPULevel

  init(
    _ operation: GatedLinearUnit, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let axis = operation.axis < 0 ? operation.axis + output.count : operation.axis
    return GatedLinearUnitStep(
      half: output[axis...].reduce(1, *), blocks: output[..<axis].reduce(1, *), level: level)
  }

  private struct GatedLinearUnitStep: KernelStep {
    /// The number of consecutive values of one half.
    let half: Int
    /// The number of pairs of halves per image.
    let blocks: Int
    let level: CPULevel

    func run(_ operands: Operands) {
      operands.team.share(
        operands.images * blocks, smallest: 1 + elementwiseShare / half
      ) { blocks, _ in
        for block in blocks {
          let x = operands.inputs[0] + block * 2 * half
          level.combine(
            netconv_combine(
              combination: NETCONV_GATE, s: 0, a: x, b: x + half, a_is_constant: 0,
              b_is_constant: 0, y: operands.output + block * half, count: half))
        }
      }
    }
  }
}
