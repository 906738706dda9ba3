import ModelIR
import Operators

/// The kernel for a factor and an offset per channel.
struct RescalingKernel: FastKernel {
  private let operation: Rescaling
  private let level: CPULevel

  init(_ operation: Rescaling, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let channels = output.last ?? 1
    let numbers = { (numbers: [Double]) in
      (0..<channels).map { Float(numbers[numbers.count == 1 ? 0 : $0]) }
    }
    return AffineStep(
      level, mean: numbers([0]), scale: numbers(operation.scale),
      shift: numbers(operation.offset), pixels: output.reduce(1, *) / channels)
  }
}
