import ModelIR

extension Network {
  /// The same network with the parameters that `target` has and the source does not need.
  ///
  /// Where the target adds a bias behind each of a recurrent layer's two kernels, a layer with one bias gets zeros
  /// for the second. Nothing changes in what the network computes.
  ///
  /// - Throws: nothing that a valid model could cause.
  public func completed(for target: Target) throws(NetconvError) -> Network {
    guard target.hasTwoRecurrentBiases, case .model(let model) = self else { return self }
    return .model(try model.addingRecurrentBiases(for: target))
  }
}

extension Model {
  fileprivate func addingRecurrentBiases(for target: Target) throws(NetconvError) -> Model {
    var definitions = definitions
    var hasAdded = false
    for index in layers.indices where definitions[index].parameterOwner == nil {
      let layer = layers[index]
      guard let bias = layer.parameter(.bias), bias.spec.cell != nil,
        target.layout(for: bias.spec) != nil, layer.parameter(.recurrentBias) == nil
      else { continue }
      definitions[index].parameters[.recurrentBias] = StoredTensor(
        source: ArraySource(Array(repeating: 0, count: bias.count)), layout: nil, shape: nil,
        path: "zeros")
      hasAdded = true
    }
    guard hasAdded else { return self }
    return try Model(name: name, inputs: inputs, layers: definitions, outputs: outputs)
  }
}
