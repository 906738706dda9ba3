import ModelIR
import Operators

/// The kernel for batch normalisation: a difference, a product and a sum per channel.
///
/// The mean is subtracted first, as in the definition: folded into the offset, it would cause cancellation if it is
/// large compared to the deviation.
struct BatchNormalizationKernel: FastKernel {
  private let axis: Int
  private let mean: [Float]
  private let scale: [Float]
  private let shift: [Float]
  private let level: CPULevel

  init(
    _ operation: BatchNormalization, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    axis = operation.axis
    let channels = operation.channelScale(parameters)
    mean = channels.mean.map { Float($0) }
    scale = channels.scale.map { Float($0) }
    shift = channels.shift.map { Float($0) }
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let axis = axis < 0 ? axis + output.count : axis
    // Consecutive values of one channel; each gets the channel's numbers.
    let runLength = output[(axis + 1)...].reduce(1, *)
    let repeated = { (numbers: [Float]) in
      runLength == 1 ? numbers : numbers.flatMap { Array(repeating: $0, count: runLength) }
    }
    return AffineStep(
      level, mean: repeated(mean), scale: repeated(scale), shift: repeated(shift),
      pixels: output[..<axis].reduce(1, *))
  }
}
