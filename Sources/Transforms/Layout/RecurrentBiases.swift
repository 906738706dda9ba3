import ModelIR

extension Network {
  /// Returns the network with the recurrent biases that `target` expects.
  ///
  /// If the target adds a bias after each of a recurrent layer's two kernels, a layer with one bias gets zeros for the
  /// second. If the target adds a single bias, it is the sum of the two, rounded once to float32; a second bias of
  /// zeros is dropped. The output of the network does not change otherwise.
  ///
  /// - Throws: any error in reading a bias.
  public func completed(for target: Target) throws(NetconvError) -> Network {
    guard case .model(let model) = self else { return self }
    return .model(try model.withRecurrentBiases(for: target))
  }
}

extension Model {
  fileprivate func withRecurrentBiases(for target: Target) throws(NetconvError) -> Model {
    var definitions = definitions
    var isChanged = false
    // All layers that share parameters change in the same way.
    for index in layers.indices {
      guard let biases = try layers[index].biases(for: target) else { continue }
      definitions[index].parameters[.bias] = biases.first
      definitions[index].parameters[.recurrentBias] = biases.second
      isChanged = true
    }
    guard isChanged else { return self }
    return try Model(name: name, inputs: inputs, layers: definitions, outputs: outputs)
  }
}

extension Network {
  /// The layers whose two biases were summed by ``completed(for:)``.
  public var layersWithSummedBiases: [String] {
    guard case .model(let model) = self else { return [] }
    return model.layers.filter { $0.parameter(.bias)?.stored.source is SumSource }.map(\.name)
  }
}

extension ParameterSpec {
  /// True for the second of two recurrent biases that can be summed; those of a GRU with its reset after the kernel
  /// cannot.
  package var isAddedBias: Bool { role == .recurrentBias && cell.map { $0 != .gru } ?? false }
}

extension Tensor {
  /// Returns the first of two recurrent biases with the second added; `nil` if they cannot be summed, or differ in
  /// layout.
  ///
  /// - Throws: only errors that creating this tensor would have thrown.
  package func adding(_ second: Tensor) throws(NetconvError) -> Tensor? {
    guard second.spec.isAddedBias, storedLayout == second.storedLayout,
      stored.reversed == second.stored.reversed, count == second.count
    else { return nil }
    var sum = stored
    sum.source = SumSource(stored.source, second.stored.source)
    sum.path = "\(stored.path) + \(second.stored.path)"
    return try Tensor(layer: layer, spec: spec, stored: sum)
  }
}

extension Layer {
  /// Returns the biases for `target`; `nil` if they do not change.
  fileprivate func biases(
    for target: Target
  ) throws(NetconvError) -> (first: StoredTensor, second: StoredTensor?)? {
    guard let bias = parameter(.bias), bias.spec.cell != nil else { return nil }
    let second = parameter(.recurrentBias)
    if target.hasTwoRecurrentBiases, target.layout(for: bias.spec) != nil {
      guard second == nil else { return nil }
      let zeros = StoredTensor(
        source: ArraySource(Array(repeating: 0, count: bias.count)), layout: nil, shape: nil,
        path: "zeros")
      return (bias.stored, zeros)
    }
    guard let second, second.spec.isAddedBias else { return nil }
    if try second.isZero() { return (bias.stored, nil) }
    guard target.takesSum(with: second.spec), let sum = try bias.adding(second) else { return nil }
    return (sum.stored, nil)
  }
}
