import Lowering
import ModelIR

/// The steps of the fast engine, and the storages of their values.
typealias KernelPlan = StoragePlan<any KernelStep>

extension KernelPlan {
  /// Creates the steps of `kernels` for inputs of known shapes.
  ///
  /// - Parameters:
  ///   - shapes: the shapes of all values of the model, without the batch.
  ///   - results: the values to return.
  init(
    _ model: Model, _ kernels: LayerKernels, _ shapes: [String: [Int]], results: Set<String>
  ) throws(NetconvError) {
    try self.init(
      model, kernels.layers, shapes, results: results, inPlaceInputs: \.inPlaceInputs
    ) { index, inputs, outputs throws(NetconvError) in
      try kernels.step(index, inputs: inputs, outputs: outputs)
    }
  }
}
