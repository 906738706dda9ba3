import ModelIR
import Operators

/// Scalar products of all vectors of one input with all of another; sums in Double, so that long ones lose
/// nothing.
struct DotKernel: FastKernel {
  private let operation: Dot

  init(_ operation: Dot, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let slices = try operation.slices(of: inputs)
    return Step(
      first: slices[0], second: slices[1], counts: inputs.map { $0.reduce(1, *) },
      smallestNorm: operation.smallestNorm)
  }

  private struct Step: KernelStep {
    let first: AxisSlices
    let second: AxisSlices
    /// Values of an image of each input.
    let counts: [Int]
    let smallestNorm: Double?

    func run(_ operands: Operands) {
      var y = operands.output
      for image in 0..<operands.images {
        let a = operands.inputs[0] + image * counts[0]
        let b = operands.inputs[1] + image * counts[1]
        let factors = second.starts.map { factor(b + $0, second.offsets) }
        for start in first.starts {
          let factor = factor(a + start, first.offsets)
          for (index, other) in second.starts.enumerated() {
            var sum = 0.0
            for (i, j) in zip(first.offsets, second.offsets) {
              sum += Double(a[start + i]) * Double(b[other + j])
            }
            y[index] = Float(sum * factor * factors[index])
          }
          y += second.starts.count
        }
      }
    }

    /// What makes a vector's length 1, if lengths do not count.
    private func factor(_ x: UnsafePointer<Float>, _ offsets: [Int]) -> Double {
      guard let smallestNorm else { return 1 }
      let norm = offsets.reduce(0) { $0 + Double(x[$1]) * Double(x[$1]) }.squareRoot()
      return 1 / (norm < smallestNorm ? smallestNorm : norm)
    }
  }
}
