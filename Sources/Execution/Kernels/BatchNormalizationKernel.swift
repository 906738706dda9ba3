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
    let channels = ChannelScale(operation, parameters)
    mean = channels.mean.map { Float($0) }
    scale = channels.scale.map { Float($0) }
    shift = channels.shift.map { Float($0) }
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
      let pixelCount = kernel.mean.count * runLength
      operands.team.share(
        operands.images * pixels, smallest: 1 + elementwiseShare / pixelCount
      ) { pixels, _ in
        run(pixels, operands)
      }
    }

    private func run(_ pixels: Range<Int>, _ operands: Operands) {
      let (x, y) = (operands.inputs[0], operands.output)
      let channels = kernel.mean.count
      kernel.mean.withUnsafeBufferPointer { mean in
        kernel.scale.withUnsafeBufferPointer { scale in
          kernel.shift.withUnsafeBufferPointer { shift in
            for pixel in pixels {
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
