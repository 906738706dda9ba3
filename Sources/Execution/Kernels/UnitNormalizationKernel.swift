import ModelIR
import Operators

/// Each position divided by its Euclidean length.
struct UnitNormalizationKernel: FastKernel {
  private let operation: UnitNormalization

  init(
    _ operation: UnitNormalization, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    NormalizationStep(
      measure: .length(smallest: operation.smallestNorm),
      slices: AxisSlices(of: output, along: try operation.axis.indices(rank: output.count)),
      count: output.reduce(1, *), places: [], placeStride: 0, gamma: nil, beta: nil)
  }
}
