import ModelIR
import Operators

/// Values shifted and scaled by statistics that are known: a difference and a factor for each.
struct NormalizationKernel: FastKernel {
  private let operation: Normalization
  private let parameters: [ParameterRole: NDArray<Float>]

  init(
    _ operation: Normalization, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
    self.parameters = parameters
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let (mean, deviation) = try operation.measures(of: output, parameters)
    return Step(
      mean: mean.map { Float($0) },
      factor: deviation.map { Float(operation.invert ? $0 : 1 / $0) }, invert: operation.invert)
  }

  private struct Step: KernelStep {
    /// One for each value of an image.
    let mean: [Float]
    /// One for each value of an image.
    let factor: [Float]
    let invert: Bool

    func run(_ operands: Operands) {
      mean.withUnsafeBufferPointer { mean in
        factor.withUnsafeBufferPointer { factor in
          for image in 0..<operands.images {
            let x = operands.inputs[0] + image * mean.count
            let y = operands.output + image * mean.count
            if invert {
              for i in mean.indices { y[i] = mean[i] + x[i] * factor[i] }
            } else {
              for i in mean.indices { y[i] = (x[i] - mean[i]) * factor[i] }
            }
          }
        }
      }
    }
  }
}
