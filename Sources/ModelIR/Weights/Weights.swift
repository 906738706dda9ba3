/// The parameters of a network whose graph is not known, or not wanted: layer by layer, each with its layout.
///
/// `Weights` that exist are valid: names of layers are unique, and so are the roles in a layer. What the layers
/// compute, and what they read, is not said; such weights can be written, but not run.
public struct Weights: Sendable {
  /// What the source calls the network.
  public let name: String
  /// In the order of the source; layers without parameters among them, where the source names them.
  public private(set) var layers: [LayerWeights]

  /// The weights of `layers`.
  ///
  /// - Throws: `badData` if a name is empty or there twice, or there are more values than can be counted.
  public init(name: String, layers: [LayerWeights]) throws(NetconvError) {
    var names = Set<String>(minimumCapacity: layers.count)
    var roles: Set<ParameterRole> = []
    var total = 0
    for layer in layers {
      guard !layer.name.isEmpty else { throw .emptyName }
      guard names.insert(layer.name).inserted else { throw .duplicateName(layer.name) }
      roles.removeAll(keepingCapacity: true)
      for tensor in layer.parameters {
        guard layer.parameters.count == 1 || roles.insert(tensor.spec.role).inserted else {
          throw NetconvError.duplicateRole(tensor.spec.role).inLayer(layer.name)
        }
        let (sum, overflow) = total.addingReportingOverflow(tensor.count)
        guard !overflow, sum <= Int.max >> 4 else {
          throw NetconvError.tooManyValues.inLayer(layer.name)
        }
        total = sum
      }
    }
    self.name = name
    self.layers = layers
  }

  /// The weights of a model, without its graph.
  ///
  /// Of layers that share parameters, the one that owns them is listed.
  public init(_ model: Model) {
    name = model.name
    let owners = Set(model.layers.flatMap(\.parameters).map(\.layer))
    var seen: Set<String> = []
    layers = model.layers.compactMap { layer in
      let name = layer.parameters.first?.layer ?? layer.name
      guard !layer.parameters.isEmpty || !owners.contains(name), seen.insert(name).inserted else {
        return nil
      }
      return LayerWeights(name: name, origin: layer.origin, parameters: layer.parameters)
    }
  }
}

/// The parameters of a layer that nothing else is known of.
public struct LayerWeights: Sendable {
  /// Unique among the layers.
  public let name: String
  /// Where it came from, if the source says so.
  public let origin: LayerOrigin?
  /// In the order of the source.
  public internal(set) var parameters: [Tensor]

  /// A layer called `name`.
  public init(name: String, origin: LayerOrigin? = nil, parameters: [Tensor]) {
    self.name = name
    self.origin = origin
    self.parameters = parameters
  }
}

extension Weights: Parameterized {
  /// Every parameter, in the order of the layers.
  public var tensors: [Tensor] { layers.flatMap(\.parameters) }

  /// The same weights with every parameter put through `transform`.
  ///
  /// - Throws: what `transform` throws, with the layer and tensor.
  public func mapTensors(
    _ transform: (Tensor) throws(NetconvError) -> Tensor
  ) throws(NetconvError) -> Weights {
    var weights = self
    for layer in layers.indices {
      for (index, tensor) in layers[layer].parameters.enumerated() {
        do {
          weights.layers[layer].parameters[index] = try transform(tensor)
        } catch {
          throw error.inTensor(tensor.spec.role.rawValue).inLayer(layers[layer].name)
        }
      }
    }
    return weights
  }
}
