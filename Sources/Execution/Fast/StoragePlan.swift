import ModelIR

/// The steps of a model for inputs of known shapes, and which of its values share memory because they are
/// the same.
struct StoragePlan {
  /// A layer's work; values are numbered, the model's inputs first.
  struct Step {
    let layer: String
    let kernel: any KernelStep
    let inputs: [Int]
    let output: Int
  }

  private(set) var steps: [Step] = []
  /// Values in an image of each storage.
  private(set) var counts: [Int] = []
  /// The storage of each layer and input that is needed.
  private(set) var storages: [String: Int] = [:]
  /// The number of model inputs.
  let inputCount: Int

  /// The steps that `results` need.
  init(
    _ model: Model, _ kernels: LayerKernels, _ shapes: [String: [Int]], results: Set<String>
  ) throws(NetconvError) {
    inputCount = model.inputs.count
    for (index, input) in model.inputs.enumerated() {
      storages[input.name] = index
      counts.append(try product(shapes[input.name] ?? []))
    }
    let needed = model.layersNeeded(for: results)
    for (index, layer) in model.layers.enumerated() where needed.contains(layer.name) {
      do {
        try append(layer, kernels, index, shapes)
      } catch {
        throw error.inLayer(layer.name)
      }
    }
  }

  private mutating func append(
    _ layer: Layer, _ kernels: LayerKernels, _ index: Int, _ shapes: [String: [Int]]
  ) throws(NetconvError) {
    let output = shapes[layer.name] ?? []
    let inputs = layer.inputs.compactMap { storages[$0] }
    let step = try kernels.step(
      index, inputs: layer.inputs.map { shapes[$0] ?? [] }, output: output)
    guard let step else {
      storages[layer.name] = inputs.first
      return
    }
    storages[layer.name] = counts.count
    steps.append(
      Step(layer: layer.name, kernel: step, inputs: inputs, output: counts.count))
    counts.append(try product(output))
  }
}

extension Model {
  /// The layers that `results` depend on.
  func layersNeeded(for results: Set<String>) -> Set<String> {
    var needed = results
    for layer in layers.reversed() where needed.contains(layer.name) {
      needed.formUnion(layer.inputs)
    }
    return needed
  }
}
