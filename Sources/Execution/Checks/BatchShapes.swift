import Lowering
import ModelIR

/// The number of samples in a batch, and the shape of every value for it.
package struct BatchShapes: Sendable, Hashable {
  /// The number of samples.
  package let batch: Int
  /// The shapes by value name, without the batch axis.
  package let shapes: [String: [Int]]

  /// Checks `inputs`, and infers the shapes of all layers from them.
  ///
  /// - Throws: `usage` if the inputs do not fit the model, or a layer's output exceeds the memory limit.
  package init(
    of inputs: [String: NDArray<Float>], for model: Model, byteCount: Int
  ) throws(NetconvError) {
    try self.init(
      batch: Self.batch(of: inputs, for: model),
      inputs: inputs.mapValues { Array($0.shape.dropFirst()) }, for: model, byteCount: byteCount)
  }

  /// Infers the shapes of all layers of `model` for the given input shapes, without the batch axis.
  ///
  /// - Throws: `usage` if a layer does not accept them, or its output exceeds the memory limit.
  package init(
    batch: Int, inputs: [String: [Int]], for model: Model, byteCount: Int
  ) throws(NetconvError) {
    self.batch = batch
    var shapes: [String: [Int]] = [:]
    for input in model.inputs {
      let shape = inputs[input.name] ?? []
      guard shape.allSatisfy({ $0 > 0 }) else { throw .emptyInput(shape, input) }
      _ = try MemoryBound.values(shape, samples: 1, byteCount: byteCount)
      shapes[input.name] = shape
    }
    for layer in model.layers {
      do {
        // Sizes are checked layer by layer, so that they cannot overflow in the next one.
        let known = try Self.outputShapes(of: layer, for: layer.inputs.compactMap { shapes[$0] })
        for (output, shape) in zip(layer.outputs, known) {
          _ = try MemoryBound.values(shape, samples: 1, byteCount: byteCount)
          shapes[output.name] = shape
        }
      } catch {
        throw error.inLayer(layer.name)
      }
    }
    self.shapes = shapes
  }

  private static func batch(
    of inputs: [String: NDArray<Float>], for model: Model
  ) throws(NetconvError) -> Int {
    let names = Set(model.inputs.map(\.name))
    if let stranger = inputs.keys.filter({ !names.contains($0) }).min() {
      throw .unknownInput(stranger, model: model)
    }
    var first: (input: ModelInput, batch: Int)?
    for input in model.inputs {
      guard let array = inputs[input.name] else { throw .missingInput(input) }
      guard let batch = array.shape.first,
        Shape(Array(array.shape.dropFirst())).isCompatible(with: input.shape)
      else { throw .wrongInputShape(array.shape, expected: input) }
      if let first, first.batch != batch {
        throw .differentBatches(first.input, first.batch, input, batch)
      }
      first = first ?? (input, batch)
    }
    // With constants only there is one sample.
    return first?.batch ?? 1
  }

  private static func outputShapes(
    of layer: Layer, for inputs: [[Int]]
  ) throws(NetconvError) -> [[Int]] {
    let inputs = inputs.map { Shape($0) }
    return try layer.operation.outputShapes(for: inputs).map { output throws(NetconvError) in
      guard let sizes = output.known else { throw NetconvError.unknownLayerSize(output) }
      guard sizes.allSatisfy({ $0 > 0 }) else {
        throw NetconvError.emptyLayer(output, inputs: inputs)
      }
      return sizes
    }
  }
}

extension NetconvError {
  fileprivate static func missingInput(_ input: ModelInput) -> NetconvError {
    NetconvError(
      .usage,
      "there is no array for the input \(quoted(input.name)), which has shape \(input.shape)")
  }

  fileprivate static func unknownInput(_ name: String, model: Model) -> NetconvError {
    let names = model.inputs.map { quoted($0.name) }.joined(separator: ", ")
    return NetconvError(.usage, "the model has no input \(quoted(name)); it has \(names)")
  }

  fileprivate static func wrongInputShape(_ shape: [Int], expected input: ModelInput)
    -> NetconvError
  {
    let expected = Shape([nil] + input.shape.dimensions)
    return NetconvError(
      .usage,
      "the array for the input \(quoted(input.name)) has shape \(Shape(shape)), expected "
        + "\(expected), where the first axis is the batch"
        + input.shape.channelsHint(for: Array(shape.dropFirst())))
  }

  fileprivate static func emptyInput(_ shape: [Int], _ input: ModelInput) -> NetconvError {
    NetconvError(
      .usage,
      "samples for the input \(quoted(input.name)) have shape \(Shape(shape)), expected no axis of size 0"
    )
  }

  fileprivate static func differentBatches(
    _ first: ModelInput, _ firstCount: Int, _ second: ModelInput, _ secondCount: Int
  ) -> NetconvError {
    NetconvError(
      .usage,
      "the array for the input \(quoted(first.name)) holds \(samples(firstCount)), the one for "
        + "\(quoted(second.name)) holds \(samples(secondCount)); all must hold the same number")
  }

  fileprivate static func emptyLayer(_ shape: Shape, inputs: [Shape]) -> NetconvError {
    let inputs = inputs.map(\.description).joined(separator: " and ")
    return NetconvError(
      .usage,
      "the output would have shape \(shape), which is empty; the input \(inputs) is too small")
  }
}
