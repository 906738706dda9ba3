import ModelIR
import Operators

/// A factor and an offset for each channel.
struct RescalingKernel: FastKernel {
  private let operation: Rescaling

  init(_ operation: Rescaling, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let channels = output.last ?? 1
    let numbers = { (numbers: [Double]) in
      (0..<channels).map { Float(numbers[numbers.count == 1 ? 0 : $0]) }
    }
    return Step(
      scale: numbers(operation.scale), offset: numbers(operation.offset),
      pixels: output.reduce(1, *) / channels)
  }

  private struct Step: KernelStep {
    let scale: [Float]
    let offset: [Float]
    let pixels: Int

    func run(_ operands: Operands) {
      operands.team.share(
        operands.images * pixels, smallest: 1 + elementwiseShare / scale.count
      ) { pixels, _ in
        run(pixels, operands)
      }
    }

    private func run(_ pixels: Range<Int>, _ operands: Operands) {
      scale.withUnsafeBufferPointer { scale in
        offset.withUnsafeBufferPointer { offset in
          for pixel in pixels {
            let x = operands.inputs[0] + pixel * scale.count
            let y = operands.output + pixel * scale.count
            for c in scale.indices { y[c] = x[c] * scale[c] + offset[c] }
          }
        }
      }
    }
  }
}
