import ModelIR

/// An operator without a fast kernel: its definition, image by image.
struct FallbackStep: KernelStep {
  let layer: Layer
  let parameters: [ParameterRole: NDArray<Double>]
  let inputs: [[Int]]
  let output: [Int]

  func run(_ operands: Operands) throws(NetconvError) {
    let count = output.reduce(1, *)
    for image in 0..<operands.images {
      let arrays = inputs.enumerated().map { index, shape in
        let count = shape.reduce(1, *)
        let values = UnsafeBufferPointer(
          start: operands.inputs[index] + image * count, count: count)
        return NDArray<Double>(shape: shape, values: values.map { Double($0) })
      }
      let result: NDArray<Double>
      do {
        result = try layer.operation.evaluate(arrays, parameters)
      } catch {
        throw error.inLayer(layer.name)
      }
      for (index, value) in result.values.enumerated() {
        operands.output[image * count + index] = Float(value)
      }
    }
  }
}
