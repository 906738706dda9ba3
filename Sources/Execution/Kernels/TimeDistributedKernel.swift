import Lowering
import ModelIR
import Operators

/// The kernel for a layer applied to each step: the layer's own kernel, with every step as an image.
struct TimeDistributedKernel: FastKernel {
  private let kernel: any FastKernel

  static func implements(_ operation: any Operator) -> Bool {
    guard let distributed = operation as? TimeDistributed else { return false }
    return FastKernels.type(for: distributed.operation) != nil
  }

  init(
    _ operation: TimeDistributed, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) throws(NetconvError) {
    guard
      let kernel = try FastKernels.type(for: operation.operation)?.make(
        operation.operation, parameters, level, Fusion())
    else { preconditionFailure("\(type(of: operation.operation)) has no kernel") }
    self.kernel = kernel
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let length = inputs[0][0]
    return try kernel.step(
      inputs: [Array(inputs[0].dropFirst())], output: Array(output.dropFirst())
    ).map { DistributedStep(step: $0, length: length) }
  }

  private struct DistributedStep: KernelStep {
    let step: any KernelStep
    let length: Int

    var scratchCount: Int { step.scratchCount }
    var prefersManyImages: Bool? { step.prefersManyImages }
    var inPlaceInputs: [Int] { step.inPlaceInputs }

    func run(_ operands: Operands) throws(NetconvError) {
      try step.run(
        Operands(
          images: operands.images * length, inputCount: operands.inputCount,
          inputs: operands.inputs, output: operands.output,
          furtherOutputs: operands.furtherOutputs, scratches: operands.scratches,
          team: operands.team))
    }
  }
}
