/// A trained network: a graph of layers with known shapes, and references to its weights.
///
/// An existing `Model` is valid: names are unique, every input exists, there is no cycle, shapes fit, and every
/// parameter has the number of values it needs. Its values, that is, its inputs and the outputs of its layers, have
/// names; a layer has the name of its first output.
public struct Model: Sendable {
  /// The name in the source.
  public let name: String
  /// The inputs, in the order in which arrays are passed.
  public let inputs: [ModelInput]
  /// The layers in topological order.
  public private(set) var layers: [Layer]
  /// The names of the model's outputs, which are outputs of layers, in the order of the source.
  public let outputs: [String]
  /// For each output of a layer, the index of the layer in ``layers`` and of the output in the layer.
  private let producers: [String: (layer: Int, output: Int)]
  private let inputShapes: [String: Shape]
  private let readers: ValueReaders<String>

  /// Creates a model from layers that ``Validation`` has accepted.
  init(name: String, inputs: [ModelInput], checked layers: [Layer], outputs: [String]) {
    self.name = name
    self.inputs = inputs
    self.layers = layers
    self.outputs = outputs
    producers = Dictionary(
      uniqueKeysWithValues: layers.enumerated().flatMap { index, layer in
        layer.outputs.enumerated().map { ($1.name, (index, $0)) }
      })
    inputShapes = Dictionary(uniqueKeysWithValues: inputs.map { ($0.name, $0.shape) })
    readers = ValueReaders(of: layers.map(\.inputs))
  }

  /// Every parameter once, in the order of the layers.
  public var tensors: [Tensor] {
    var seen: Set<TensorKey> = []
    return layers.flatMap(\.parameters).filter { seen.insert($0.key).inserted }
  }

  /// Returns the layer called `name`.
  public func layer(named name: String) -> Layer? {
    producers[name].flatMap { $0.output == 0 ? layers[$0.layer] : nil }
  }

  /// The names of all outputs of layers, in the order of computation.
  package var computedNames: [String] { layers.flatMap { $0.outputs.map(\.name) } }

  /// Returns the layer that computes a value, and the index of the output; `nil` for an input.
  package func producer(of value: String) -> (layer: Layer, output: Int)? {
    producers[value].map { (layers[$0.layer], $0.output) }
  }

  /// Returns the shape of a value, without the batch axis.
  public func shape(of name: String) -> Shape? {
    inputShapes[name] ?? producers[name].map { layers[$0.layer].outputs[$0.output].shape }
  }

  /// Returns the layers that read a value, in the order in which they run.
  package func readers(of value: String) -> [Layer] { readers[value].map { layers[$0] } }

  /// Returns the index in ``layers`` of the last layer that reads a value; `nil` if none does.
  package func lastReader(of value: String) -> Int? { readers.last(of: value) }

  /// Returns the model with `steps` recorded as the preprocessing of an input.
  public func recording(_ steps: [PixelStep], for input: String) -> Model {
    Model(
      name: name,
      inputs: inputs.map {
        $0.name == input
          ? ModelInput(name: $0.name, shape: $0.shape, preprocessing: steps) : $0
      }, checked: layers, outputs: outputs)
  }

  /// Infers the shapes of all values for the given input shapes.
  ///
  /// - Throws: `usage` or `badData` naming the layer that does not accept its input shapes.
  package func shapes(feeding inputs: [String: Shape]) throws(NetconvError) -> [String: Shape] {
    var shapes = inputs
    for layer in layers {
      do throws(NetconvError) {
        let outputs = try layer.operation.checkedOutputShapes(
          for: layer.inputs.compactMap { shapes[$0] })
        for (output, shape) in zip(layer.outputs, outputs) { shapes[output.name] = shape }
      } catch {
        throw error.inLayer(layer.name)
      }
    }
    return shapes
  }

  /// Returns the model with `transform` applied to every parameter.
  ///
  /// - Throws: any error that `transform` throws, with the layer and tensor.
  public func mapTensors(
    _ transform: (Tensor) throws(NetconvError) -> Tensor
  ) throws(NetconvError) -> Model {
    var model = self
    for layer in layers.indices {
      for index in layers[layer].parameters.indices {
        let tensor = layers[layer].parameters[index]
        do {
          model.layers[layer].parameters[index] = try transform(tensor)
        } catch {
          throw error.inTensor(tensor.spec.role.rawValue).inLayer(layers[layer].name)
        }
      }
    }
    return model
  }
}
