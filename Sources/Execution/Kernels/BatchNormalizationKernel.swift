import ModelIR
import Operators

/// Batch normalisation: per channel a difference, a product and a sum.
///
/// The mean is subtracted first, as in the definition: folded into the sum, it would cancel digits
/// where it is large against the deviation.
struct BatchNormalizationKernel: FastKernel {
  private let axis: Int
  private let mean: [Float]
  private let scale: [Float]
  private let shift: [Float]

  init(
    _ operation: BatchNormalization, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    axis = operation.axis
    mean = parameters[.mean]?.values ?? []
    let gamma = parameters[.gamma]?.values ?? mean.map { _ in 1 }
    let variance = parameters[.variance]?.values ?? []
    scale = zip(gamma, variance).map { gamma, variance in
      Float(Double(gamma) / (Double(variance) + operation.epsilon).squareRoot())
    }
    shift = parameters[.beta]?.values ?? mean.map { _ in 0 }
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let axis = axis < 0 ? axis + output.count : axis
    return Step(
      kernel: self, pixels: output[..<axis].reduce(1, *),
      runLength: output[(axis + 1)...].reduce(1, *))
  }

  private struct Step: KernelStep {
    let kernel: BatchNormalizationKernel
    /// How often an image has all channels.
    let pixels: Int
    /// Values of one channel that lie together.
    let runLength: Int

    func run(_ operands: Operands) {
      let (x, y) = (operands.inputs[0], operands.output)
      let channels = kernel.mean.count
      kernel.mean.withUnsafeBufferPointer { mean in
        kernel.scale.withUnsafeBufferPointer { scale in
          kernel.shift.withUnsafeBufferPointer { shift in
            for pixel in 0..<pixels * operands.images {
              let first = pixel * channels * runLength
              if runLength == 1 {
                for c in 0..<channels {
                  y[first + c] = (x[first + c] - mean[c]) * scale[c] + shift[c]
                }
              } else {
                for i in 0..<channels * runLength {
                  let c = i / runLength
                  y[first + i] = (x[first + i] - mean[c]) * scale[c] + shift[c]
                }
              }
            }
          }
        }
      }
    }
  }
}
