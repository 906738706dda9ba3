import Lowering
import ModelIR
import Operators
import Synchronization

/// The kernel for layers that sum products of integers: the kernels of real numbers, for integers whose sums float32 holds
/// exactly.
struct QuantizedKernel: FastKernel {
  private let sums: IntegerSums
  /// The kernels that sum the products; none if the sums need Double.
  private let kernels: [any FastKernel]

  static func implements(_ operation: any Operator) -> Bool {
    guard let layer = operation as? Quantized, IntegerSums.areComputed(by: layer) else {
      return false
    }
    return FastKernels.type(for: layer.operation) != nil
  }

  init(
    _ operation: Quantized, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) throws(NetconvError) {
    sums = try IntegerSums(
      operation, parameters.mapValues { $0.converted(to: Double.self) })
    var kernels: [any FastKernel] = []
    for part in sums.exactParts ?? [] {
      guard
        let kernel = try FastKernels.type(for: operation.operation)?.make(
          operation.operation, [.kernel: part], level, Fusion())
      else { preconditionFailure("\(type(of: operation.operation)) has no kernel") }
      kernels.append(kernel)
    }
    self.kernels = kernels
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    var steps: [any KernelStep] = []
    for kernel in kernels {
      if let step = try kernel.step(inputs: inputs, output: output) { steps.append(step) }
    }
    return SumStep(
      sums: sums, steps: steps, input: inputs[0], inputCount: inputs[0].reduce(1, *),
      outputCount: output.reduce(1, *))
  }
}

/// The sums of some images, and their rescaling.
private struct SumStep: KernelStep {
  let sums: IntegerSums
  let steps: [any KernelStep]
  let input: [Int]
  let inputCount: Int
  let outputCount: Int

  var scratchCount: Int { steps.map(\.scratchCount).max() ?? 0 }
  var prefersManyImages: Bool? { steps.first?.prefersManyImages }

  func run(_ operands: Operands) throws(NetconvError) {
    if steps.isEmpty { return try evaluate(operands) }
    let images = operands.images
    let integers = UnsafeMutablePointer<Float>.allocate(capacity: max(1, images * inputCount))
    let inputs = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: 1)
    let parts = steps.map { _ in
      UnsafeMutablePointer<Float>.allocate(capacity: max(1, images * outputCount))
    }
    defer {
      integers.deallocate()
      inputs.deallocate()
      for part in parts { part.deallocate() }
    }
    try sums.centre(
      UnsafeBufferPointer(start: operands.inputs[0], count: images * inputCount), into: integers)
    inputs.initialize(to: UnsafePointer(integers))
    for (step, part) in zip(steps, parts) {
      try step.run(
        Operands(
          images: images, inputCount: 1, inputs: UnsafePointer(inputs), output: part,
          scratches: operands.scratches, team: operands.team))
    }
    try sums.finish(
      parts.map { UnsafePointer($0) }, count: images * outputCount, into: operands.output)
  }

  /// Sums in Double, image by image.
  private func evaluate(_ operands: Operands) throws(NetconvError) {
    let failure = Mutex<NetconvError?>(nil)
    operands.team.perform(operands.images) { image, _ in
      let values = UnsafeBufferPointer(
        start: operands.inputs[0] + image * inputCount, count: inputCount)
      do throws(NetconvError) {
        let output = try sums.evaluate(
          NDArray<Double>(shape: input, values: values.map { Double($0) }))
        for (index, value) in output.enumerated() {
          operands.output[image * outputCount + index] = value
        }
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
