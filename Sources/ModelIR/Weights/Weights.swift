/// The parameters of a network whose graph is unknown or not needed: layer by layer, each with its layout.
///
/// Existing `Weights` are valid: names of layers are unique, and so are the roles in a layer. The operators and inputs
/// of the layers are unknown; such weights can be written, but not run.
public struct Weights: Sendable {
  /// The network's name in the source.
  public let name: String
  /// The layers in the order of the source, including layers without parameters if the source names them.
  public private(set) var layers: [LayerWeights]

  /// Creates weights from `layers`.
  ///
  /// - Throws: `badData` if a name is empty or duplicate, or if the number of values overflows.
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

  /// Creates the weights of a model, without its graph.
  ///
  /// If layers share parameters, the one that owns them is listed.
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

/// The parameters of a layer about which nothing else is known.
public struct LayerWeights: Sendable {
  /// The name, unique among the layers.
  public let name: String
  /// The origin of the layer, if the source states it.
  public let origin: LayerOrigin?
  /// The parameters in the order of the source.
  public internal(set) var parameters: [Tensor]

  /// Creates a layer called `name`.
  public init(name: String, origin: LayerOrigin? = nil, parameters: [Tensor]) {
    self.name = name
    self.origin = origin
    self.parameters = parameters
  }
}

extension Weights: Parameterized {
  /// Every parameter, in the order of the layers.
  public var tensors: [Tensor] { layers.flatMap(\.parameters) }

  /// Returns the weights with `transform` applied to every parameter.
  ///
  /// - Throws: any error that `transform` throws, with the layer and tensor.
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

extension NetconvError {
  fileprivate static func duplicateRole(_ role: ParameterRole) -> NetconvError {
    NetconvError(
      .badData, "the role \(quoted(role.rawValue)) occurs twice; each role must be unique")
  }
}
