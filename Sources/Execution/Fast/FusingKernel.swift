import Lowering
import ModelIR

/// A fast kernel that supports fused operations.
protocol FusingKernel: FastKernel where Implemented: FusingOperator {}

extension FusingKernel {
  /// Creates a kernel without fused operations.
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) throws(NetconvError) {
    try self.init(operation, parameters, level, Fusion())
  }
}
