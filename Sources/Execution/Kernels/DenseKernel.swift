import ModelIR
import Operators

/// A fully-connected layer: one matrix product over all rows of all images.
struct DenseKernel: FastKernel {
  private let operation: Dense
  private let weights: PackedMatrix
  private let offsets: AlignedBuffer<Int>
  private let level: CPULevel

  init(
    _ operation: Dense, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    let kernel = parameters[.kernel]?.values ?? []
    let features = kernel.count / operation.units
    self.operation = operation
    weights = PackedMatrix(
      kernel, depth: features, columns: 0..<operation.units, bias: parameters[.bias]?.values,
      panelWidth: level.tileColumns)
    offsets = AlignedBuffer(Array(0..<features), filler: 0)
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let rows = output.dropLast().reduce(1, *)
    return MatrixStep(
      product: MatrixProduct(
        level: level, groups: [weights], groupStride: 0,
        pixels: .init(
          perRow: rows, perImage: rows, stride: weights.depth, imageStride: rows * weights.depth),
        offsets: offsets, bounds: operation.activation.bounds ?? -.infinity ... .infinity),
      border: nil,
      activation: ActivationPass(remaining: operation.activation, shape: output),
      inputCount: rows * weights.depth, outputCount: output.reduce(1, *))
  }
}
