import ModelIR

/// The steps of a model for known input shapes, and the storages of its values.
///
/// Values share a storage if they are views of the same memory, or if one is computed in place of the other.
package struct StoragePlan<Work> {
  /// The work of a layer; values are identified by index, model inputs first.
  package struct NumberedStep {
    /// The name of the layer.
    package let layer: String
    /// The work that the caller created for it.
    package let work: Work
    /// The storages that it reads.
    package let inputs: [Int]
    /// The storages that it writes.
    package let outputs: [Int]
  }

  /// The steps in execution order, without those whose output is a view of their input.
  package private(set) var steps: [NumberedStep] = []
  /// The number of values per image of each storage.
  package private(set) var counts: [Int] = []
  /// The storage of each value that is needed.
  package private(set) var storages: [String: Int] = [:]
  /// The number of model inputs.
  package let inputCount: Int

  /// Creates the steps for inputs of known shapes.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - layers: its steps.
  ///   - shapes: the shapes of all values of the model, without the batch.
  ///   - results: the values to return.
  ///   - inPlaceInputs: returns the indices of the inputs that a step's first output may overwrite.
  ///   - work: returns the work of the step at an index for inputs and outputs of known shapes; `nil` if the output is a
  ///     view of the input's memory.
  package init(
    _ model: Model, _ layers: [LoweredLayer], _ shapes: [String: [Int]], results: Set<String>,
    inPlaceInputs: (Work) -> [Int],
    work: (Int, _ inputs: [[Int]], _ outputs: [[Int]]) throws(NetconvError) -> Work?
  ) throws(NetconvError) {
    inputCount = model.inputs.count
    for (index, input) in model.inputs.enumerated() {
      storages[input.name] = index
      counts.append(try product(shapes[input.name] ?? []))
    }
    var shapes = shapes
    for (index, layer) in layers.enumerated() {
      do {
        try append(layer, &shapes) { inputs, outputs throws(NetconvError) in
          try work(index, inputs, outputs)
        }
      } catch {
        throw error.inLayer(layer.layer.name)
      }
    }
    computeInPlace(keeping: Set(results.compactMap { storages[$0] }), inPlaceInputs)
  }

  private mutating func append(
    _ layer: LoweredLayer, _ shapes: inout [String: [Int]],
    _ work: (_ inputs: [[Int]], _ outputs: [[Int]]) throws(NetconvError) -> Work?
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
    guard let step = try work(inputShapes, outputs) else {
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
        layer: layer.layer.name, work: step, inputs: inputs, outputs: Array(first..<counts.count))
    )
  }

  /// Lets outputs reuse the storage of an input that is not read afterwards.
  ///
  /// - Parameter results: the storages to return, which have separate arrays.
  private mutating func computeInPlace(
    keeping results: Set<Int>, _ inPlaceInputs: (Work) -> [Int]
  ) {
    let readers = ValueReaders(of: steps.map(\.inputs))
    // The final storage of each storage.
    var places = Array(counts.indices)
    for (index, step) in steps.enumerated() {
      let output = step.outputs[0]
      let free = step.overwritable(inPlaceInputs(step.work)).first { input in
        input >= inputCount && readers.last(of: input) == index
          && counts[input] == counts[output] && results.isDisjoint(with: [input, output])
      }
      if let free { places[output] = places[free] }
      steps[index] = NumberedStep(
        layer: step.layer, work: step.work, inputs: step.inputs.map { places[$0] },
        outputs: step.outputs.map { places[$0] })
    }
    storages = storages.mapValues { places[$0] }
  }
}

extension StoragePlan.NumberedStep {
  /// The storages that the step may overwrite, as it reads them only through inputs that allow it.
  ///
  /// - Parameter inPlaceInputs: the indices of these inputs.
  fileprivate func overwritable(_ inPlaceInputs: [Int]) -> [Int] {
    let places = Set(inPlaceInputs)
    return inPlaceInputs.filter { $0 < inputs.count }.map { inputs[$0] }.filter { input in
      inputs.indices.allSatisfy { inputs[$0] != input || places.contains($0) }
    }
  }
}
