import ModelIR
import Operators

/// The kernel for normalisation by fixed statistics: a difference and a factor for each value.
struct NormalizationKernel: FastKernel {
  private let operation: Normalization
  private let parameters: [ParameterRole: NDArray<Float>]
  private let level: CPULevel

  init(
    _ operation: Normalization, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
    self.parameters = parameters
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let (mean, deviation) = try operation.measures(of: output, parameters)
    let zeros = mean.map { _ in Float(0) }
    let center = mean.map { Float($0) }
    return AffineStep(
      level, mean: operation.invert ? zeros : center,
      scale: deviation.map { Float(operation.invert ? $0 : 1 / $0) },
      shift: operation.invert ? center : zeros, pixels: 1)
  }
}
