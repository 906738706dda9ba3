import ModelIR

extension Network {
  /// The same network with the biases of recurrent layers that `target` has.
  ///
  /// Where the target adds a bias behind each of a recurrent layer's two kernels, a layer with one bias gets zeros
  /// for the second. Where it adds one, that is the sum of two, each rounded once to float32; a second that is nothing
  /// but zeros is left out. Nothing else changes in what the network computes.
  ///
  /// - Throws: what reading a bias throws.
  public func completed(for target: Target) throws(NetconvError) -> Network {
    guard case .model(let model) = self else { return self }
    return .model(try model.withRecurrentBiases(for: target))
  }
}

extension Model {
  fileprivate func withRecurrentBiases(for target: Target) throws(NetconvError) -> Model {
    var definitions = definitions
    var isChanged = false
    // Layers that share their parameters all lose or get one.
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
  /// The layers whose two biases ``completed(for:)`` adds up.
  ///
  /// - Throws: what reading a bias throws.
  public func layersWithSummedBiases(for target: Target) throws(NetconvError) -> [String] {
    guard case .model(let model) = self else { return [] }
    var names: [String] = []
    for layer in model.layers {
      guard let second = layer.parameter(.recurrentBias), target.takesSum(with: second.spec),
        layer.parameter(.bias)?.isStoredAs(second) == true, try !second.isZero()
      else { continue }
      names.append(layer.name)
    }
    return names
  }
}

extension Tensor {
  /// Whether the values of another tensor lie in the same order.
  package func isStoredAs(_ other: Tensor) -> Bool {
    storedLayout == other.storedLayout && stored.reversed == other.stored.reversed
      && count == other.count
  }

  /// The first of two biases of a recurrent layer with the second added to it.
  ///
  /// - Throws: nothing if both lie in one order.
  package func adding(_ second: Tensor) throws(NetconvError) -> Tensor {
    var sum = stored
    sum.source = SumSource(stored.source, second.stored.source)
    sum.path = "\(stored.path) + \(second.stored.path)"
    return try Tensor(layer: layer, spec: spec, stored: sum)
  }
}

extension Layer {
  /// The biases for `target`; `nil` if they stay what they are.
  fileprivate func biases(
    for target: Target
  ) throws(NetconvError) -> (first: StoredTensor, second: StoredTensor?)? {
    guard let bias = parameter(.bias), let cell = bias.spec.cell else { return nil }
    let second = parameter(.recurrentBias)
    if target.hasTwoRecurrentBiases, target.layout(for: bias.spec) != nil {
      guard second == nil else { return nil }
      let zeros = StoredTensor(
        source: ArraySource(Array(repeating: 0, count: bias.count)), layout: nil, shape: nil,
        path: "zeros")
      return (bias.stored, zeros)
    }
    // A GRU with its reset behind the kernel has two biases that do not add up.
    guard let second, cell != .gru else { return nil }
    if try second.isZero() { return (bias.stored, nil) }
    guard target.takesSum(with: second.spec), bias.isStoredAs(second) else { return nil }
    return (try bias.adding(second).stored, nil)
  }
}
