import Lowering
import ModelIR
import Operators

/// The kernel for a fully-connected layer: one matrix product over all rows of all images.
struct DenseKernel: FusingKernel {
  private let operation: Dense
  private let fusion: Fusion
  private let weights: PackedMatrix
  private let offsets: AlignedBuffer<Int>
  private let level: CPULevel

  init(
    _ operation: Dense, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel,
    _ fusion: Fusion
  ) {
    let kernel = parameters[.kernel]?.values ?? []
    let features = kernel.count / operation.units
    self.operation = operation
    self.fusion = fusion
    weights = PackedMatrix(
      kernel, depth: features, columns: 0..<operation.units, bias: parameters[.bias]?.values,
      panelWidth: level.tileColumns)
    offsets = AlignedBuffer(Array(0..<features), filler: 0)
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let rows = output.dropLast().reduce(1, *)
    let activation = fusion.activation ?? operation.activation
    return MatrixStep(
      product: MatrixProduct(
        level: level, groups: [weights], groupStride: 0,
        pixels: .init(
          perRow: rows, perImage: rows, stride: weights.depth, imageStride: rows * weights.depth),
        offsets: offsets, bounds: activation.bounds ?? -.infinity ... .infinity),
      bands: nil,
      activation: ActivationPass(remaining: activation, shape: output, level),
      outputCount: output.reduce(1, *))
  }
}
