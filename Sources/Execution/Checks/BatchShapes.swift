import ModelIR

/// A batch that fits a model: how many samples it has, and the shape of every value in it.
package struct BatchShapes: Sendable, Hashable {
  /// Samples.
  package let batch: Int
  /// Without the batch axis; by the name of an input or layer.
  package let shapes: [String: [Int]]

  /// Checks `inputs`, and infers the shapes of all layers from them.
  ///
  /// - Throws: `usage` if the inputs do not fit the model, or a layer's output is beyond all bounds.
  package init(
    of inputs: [String: NDArray<Float>], for model: Model, byteCount: Int
  ) throws(NetconvError) {
    batch = try Self.batch(of: inputs, for: model)
    var shapes: [String: Shape] = [:]
    for input in model.inputs {
      let shape = inputs[input.name].map { Array($0.shape.dropFirst()) } ?? []
      _ = try MemoryBound.values(shape, samples: 1, byteCount: byteCount)
      shapes[input.name] = Shape(shape)
    }
    for layer in model.layers {
      do {
        shapes[layer.name] = try Self.outputShape(
          of: layer, for: layer.inputs.compactMap { shapes[$0] })
      } catch {
        throw error.inLayer(layer.name)
      }
    }
    self.shapes = try Self.known(shapes, model, batch: batch, byteCount: byteCount)
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
    return first?.batch ?? 0
  }

  private static func outputShape(
    of layer: Layer, for inputs: [Shape]
  ) throws(NetconvError) -> Shape {
    let output = try layer.operation.outputShape(for: inputs)
    guard let sizes = output.known else { throw .unknownLayerSize(output) }
    guard sizes.allSatisfy({ $0 > 0 }) else { throw .emptyLayer(output, inputs: inputs) }
    return output
  }

  private static func known(
    _ shapes: [String: Shape], _ model: Model, batch: Int, byteCount: Int
  ) throws(NetconvError) -> [String: [Int]] {
    var known: [String: [Int]] = [:]
    for (name, shape) in shapes { known[name] = shape.known }
    for layer in model.layers {
      do {
        _ = try MemoryBound.values(known[layer.name] ?? [], samples: 1, byteCount: byteCount)
      } catch {
        throw error.inLayer(layer.name)
      }
    }
    return known
  }
}
