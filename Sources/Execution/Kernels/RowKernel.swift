import Lowering
import ModelIR
import Operators

/// The kernel for a 1-D operator: that of its 2-D equivalent, applied to images with one row.
struct RowKernel<Implemented: LineOperator, Kernel: FastKernel>: FastKernel
where Kernel.Implemented == Implemented.Planar {
  private let kernel: Kernel

  static var listsPlaces: Bool { Kernel.listsPlaces }

  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel,
    _ fusion: Fusion
  ) throws(NetconvError) {
    var fusion = fusion
    fusion.activation = fusion.activation?.planar
    kernel = try Kernel(operation.planar, parameters, level, fusion)
  }

  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) throws(NetconvError) {
    try self.init(operation, parameters, level, Fusion())
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    try kernel.step(inputs: inputs.map(\.planar), output: output.planar)
  }
}
