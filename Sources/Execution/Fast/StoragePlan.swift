import ModelIR

/// The steps of a model for known input shapes, and the storages of its values.
///
/// Values share a storage if they are views of the same memory, or if one is computed in place of the other.
struct StoragePlan {
  /// The work of a layer; values are identified by index, model inputs first.
  struct NumberedStep {
    let layer: String
    let kernel: any KernelStep
    let inputs: [Int]
    let outputs: [Int]
  }

  private(set) var steps: [NumberedStep] = []
  /// The number of values per image of each storage.
  private(set) var counts: [Int] = []
  /// The storage of each value that is needed.
  private(set) var storages: [String: Int] = [:]
  /// The number of model inputs.
  let inputCount: Int

  /// Creates the steps for inputs of known shapes.
  ///
  /// - Parameters:
  ///   - shapes: the shapes of all values of the model, without the batch.
  ///   - results: the values to return.
  init(
    _ model: Model, _ kernels: LayerKernels, _ shapes: [String: [Int]], results: Set<String>
  ) throws(NetconvError) {
    inputCount = model.inputs.count
    for (index, input) in model.inputs.enumerated() {
      storages[input.name] = index
      counts.append(try product(shapes[input.name] ?? []))
    }
    var shapes = shapes
    for (index, layer) in kernels.layers.enumerated() {
      do {
        try append(layer, kernels, index, &shapes)
      } catch {
        throw error.inLayer(layer.layer.name)
      }
    }
    computeInPlace(keeping: Set(results.compactMap { storages[$0] }))
  }

  private mutating func append(
    _ layer: LoweredLayer, _ kernels: LayerKernels, _ index: Int, _ shapes: inout [String: [Int]]
  ) throws(NetconvError) {
    let inputShapes = layer.inputs.map { shapes[$0] ?? [] }
    let output: [Int]
    if let known = shapes[layer.output] {
      output = known
    } else {
      output = try layer.shape(for: inputShapes)
    }
    shapes[layer.output] = output
    let inputs = layer.inputs.compactMap { storages[$0] }
    let outputs = [output] + layer.furtherOutputs.map { shapes[$0] ?? [] }
    let step = try kernels.step(index, inputs: inputShapes, outputs: outputs)
    guard let step else {
      storages[layer.output] = inputs.first
      return
    }
    let first = counts.count
    for (name, shape) in zip([layer.output] + layer.furtherOutputs, outputs) {
      storages[name] = counts.count
      counts.append(try product(shape))
    }
    steps.append(
      NumberedStep(
        layer: layer.layer.name, kernel: step, inputs: inputs, outputs: Array(first..<counts.count))
    )
  }

  /// Lets outputs reuse the storage of an input that is not read afterwards.
  ///
  /// - Parameter results: the storages to return, which have separate arrays.
  private mutating func computeInPlace(keeping results: Set<Int>) {
    let readers = ValueReaders(of: steps.map(\.inputs))
    // The final storage of each storage.
    var places = Array(counts.indices)
    for (index, step) in steps.enumerated() {
      let output = step.outputs[0]
      let free = step.overwritable.first { input in
        input >= inputCount && readers.last(of: input) == index
          && counts[input] == counts[output] && results.isDisjoint(with: [input, output])
      }
      if let free { places[output] = places[free] }
      steps[index] = NumberedStep(
        layer: step.layer, kernel: step.kernel, inputs: step.inputs.map { places[$0] },
        outputs: step.outputs.map { places[$0] })
    }
    storages = storages.mapValues { places[$0] }
  }
}

extension StoragePlan.NumberedStep {
  /// The storages that the step may overwrite, as it reads them only through inputs that allow it.
  fileprivate var overwritable: [Int] {
    let places = Set(kernel.inPlaceInputs)
    return kernel.inPlaceInputs.filter { $0 < inputs.count }.map { inputs[$0] }.filter { input in
      inputs.indices.allSatisfy { inputs[$0] != input || places.contains($0) }
    }
  }
}
