import ModelIR

extension Network {
  /// The same network with the biases of recurrent layers that `target` has.
  ///
  /// Where the target adds a bias behind each of a recurrent layer's two kernels, a layer with one bias gets zeros
  /// for the second. Where it adds one, a second that is nothing but zeros is left out. Nothing changes in what the
  /// network computes.
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
      guard let second = try layers[index].secondBias(for: target) else { continue }
      definitions[index].parameters[.recurrentBias] = second.stored
      isChanged = true
    }
    guard isChanged else { return self }
    return try Model(name: name, inputs: inputs, layers: definitions, outputs: outputs)
  }
}

/// What becomes of the second bias of a recurrent layer.
private struct SecondBias {
  /// The new one; `nil` where there is none.
  let stored: StoredTensor?
}

extension Layer {
  /// What becomes of the second bias for `target`; `nil` if it stays what it is.
  fileprivate func secondBias(for target: Target) throws(NetconvError) -> SecondBias? {
    guard let bias = parameter(.bias), let cell = bias.spec.cell else { return nil }
    let second = parameter(.recurrentBias)
    if target.hasTwoRecurrentBiases, target.layout(for: bias.spec) != nil {
      guard second == nil else { return nil }
      return SecondBias(
        stored: StoredTensor(
          source: ArraySource(Array(repeating: 0, count: bias.count)), layout: nil, shape: nil,
          path: "zeros"))
    }
    // A GRU with its reset behind the kernel has two biases that do not add up.
    guard let second, cell != .gru, try second.isZero() else { return nil }
    return SecondBias(stored: nil)
  }
}
