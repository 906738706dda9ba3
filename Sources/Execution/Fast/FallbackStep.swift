import ModelIR
import Synchronization

/// An operator without a fast kernel, evaluated image by image by its definition.
struct FallbackStep: KernelStep {
  let layer: Layer
  let parameters: [ParameterRole: NDArray<Double>]
  let inputs: [[Int]]
  let outputs: [[Int]]

  func run(_ operands: Operands) throws(NetconvError) {
    let failure = Mutex<NetconvError?>(nil)
    operands.team.perform(operands.images) { image, _ in
      do throws(NetconvError) {
        try evaluate(image, operands)
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func evaluate(_ image: Int, _ operands: Operands) throws(NetconvError) {
    let arrays = inputs.enumerated().map { index, shape in
      let count = shape.reduce(1, *)
      let values = UnsafeBufferPointer(
        start: operands.inputs[index] + image * count, count: count)
      return NDArray<Double>(shape: shape, values: values.map { Double($0) })
    }
    let results = try layer.operation.evaluateOutputs(arrays, parameters)
    for (place, (result, shape)) in zip(results, outputs).enumerated() {
      let output = operands.output(place) + image * shape.reduce(1, *)
      for (index, value) in result.values.enumerated() { output[index] = Float(value) }
    }
  }
}
