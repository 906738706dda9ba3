import ModelIR
import Operators

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One half of the values, weighted by the sigmoid of the other.
struct GatedLinearUnitKernel: FastKernel {
  private let operation: GatedLinearUnit

  init(
    _ operation: GatedLinearUnit, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let axis = operation.axis < 0 ? operation.axis + output.count : operation.axis
    return Step(half: output[axis...].reduce(1, *), blocks: output[..<axis].reduce(1, *))
  }

  private struct Step: KernelStep {
    /// Values of one half that lie together.
    let half: Int
    /// How often an image has two halves.
    let blocks: Int

    func run(_ operands: Operands) {
      for block in 0..<blocks * operands.images {
        let x = operands.inputs[0] + block * 2 * half
        let y = operands.output + block * half
        for i in 0..<half { y[i] = x[i] / (1 + expf(-x[half + i])) }
      }
    }
  }
}
