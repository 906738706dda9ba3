import ModelIR
import Operators

/// The sum of two or more inputs.
struct AddKernel: FastKernel {
  init(_ operation: Add, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {}

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    Step(inputCount: inputs.count, count: output.reduce(1, *))
  }

  private struct Step: KernelStep {
    let inputCount: Int
    let count: Int

    func run(_ operands: Operands) {
      let count = count * operands.images
      let (y, a, b) = (operands.output, operands.inputs[0], operands.inputs[1])
      for i in 0..<count { y[i] = a[i] + b[i] }
      for index in 2..<max(2, inputCount) {
        let x = operands.inputs[index]
        for i in 0..<count { y[i] += x[i] }
      }
    }
  }
}
