/// A type that has parameters.
public protocol Parameterized {
  /// Every parameter once, in the order of the layers.
  var tensors: [Tensor] { get }

  /// Returns a copy with `transform` applied to every parameter.
  ///
  /// - Throws: any error that `transform` throws, with the layer and tensor.
  func mapTensors(_ transform: (Tensor) throws(NetconvError) -> Tensor) throws(NetconvError) -> Self
}

extension Parameterized {
  /// The number of values in all parameters.
  public var parameterCount: Int { tensors.reduce(0) { $0 + $1.count } }
}

extension Model: Parameterized {}

/// The contents of a source: a whole network, or only its weights.
public enum Network: Sendable {
  /// A graph with parameters.
  case model(Model)
  /// Parameters without a graph.
  case weights(Weights)

  /// The network's name in the source.
  public var name: String {
    switch self {
    case .model(let model): model.name
    case .weights(let weights): weights.name
    }
  }

  /// The weights without the graph.
  public var weights: Weights {
    switch self {
    case .model(let model): Weights(model)
    case .weights(let weights): weights
    }
  }
}

extension Network: Parameterized {
  /// Every parameter once, in the order of the layers.
  public var tensors: [Tensor] {
    switch self {
    case .model(let model): model.tensors
    case .weights(let weights): weights.tensors
    }
  }

  /// Returns the network with `transform` applied to every parameter.
  ///
  /// - Throws: any error that `transform` throws, with the layer and tensor.
  public func mapTensors(
    _ transform: (Tensor) throws(NetconvError) -> Tensor
  ) throws(NetconvError) -> Network {
    switch self {
    case .model(let model): .model(try model.mapTensors(transform))
    case .weights(let weights): .weights(try weights.mapTensors(transform))
    }
  }
}
