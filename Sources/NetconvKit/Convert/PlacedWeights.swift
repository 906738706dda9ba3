import ModelIR
import Readers
import Transforms

/// The tensors of weights without a graph, in the layouts that a target needs.
struct PlacedWeights {
  private(set) var network: Network
  private(set) var kept: Set<TensorKey> = []
  private(set) var undecided: [TensorKey: String] = [:]

  init(_ network: Network) {
    self.network = network
  }

  /// Assigns axes to the tensors that have to be rearranged.
  ///
  /// - Parameter ruled: the names of tensors that rules have moved, and that the target accepts as they are.
  mutating func place(
    by readings: WeightReadings, _ stated: StatedLayouts, moved ruled: Set<String>,
    for target: Target
  ) throws(NetconvError) {
    var moved: [TensorKey: Tensor] = [:]
    for tensor in network.tensors
    where tensor.spec.kind == .unknown || tensor.spec.kind == .vector {
      if let known = try stated.known(tensor) {
        moved[tensor.key] = known
        continue
      }
      guard !stated.keeps(tensor), !ruled.contains(tensor.stored.name ?? "") else {
        kept.insert(tensor.key)
        continue
      }
      switch readings.placement(of: tensor, for: target) {
      case .kept: kept.insert(tensor.key)
      case .moved(let known): moved[tensor.key] = known
      case .undecided(let why): undecided[tensor.key] = why
      }
    }
    network = try network.mapTensors { tensor in moved[tensor.key] ?? tensor }
  }
}
