import Documents
import ModelIR

/// The variables of a top-level layer in the order in which HDF5 files list them.
///
/// Keras binds variables by this order alone. Their names are those that layers had when they were built; they may
/// have changed since, or occur in several models. Trainable variables of all nested layers come first, then the
/// others.
///
/// Source: keras/src/legacy/saving/legacy_h5_format.py, `_legacy_weights`; `trainable_weights` and
/// `non_trainable_weights` in keras/src/layers/layer.py, tf_keras/src/engine/base_layer.py and training.py.
struct KerasVariableOrder {
  /// A variable and its owner.
  struct Variable {
    /// The names of the enclosing models, outermost first, and of the layer itself.
    let layer: [String]
    /// The nested layers, down to the owner of the variable.
    let parts: [String]
    /// The weight of the owner.
    let weight: KerasWeight

    /// ``layer`` and ``parts``.
    var path: [String] { layer + parts }
  }

  /// The variables, in file order.
  let variables: [Variable]

  /// Determines the order for `layer`, including nested models and layers.
  ///
  /// - Parameter trainsModels: True to assume that models without a stated setting are trainable. Keras 2 omits it
  ///   for Sequential models, and loads them as trainable.
  /// - Throws: `badData` if a nested layer cannot be expanded.
  init(of layer: KerasLayerTree, trainsModels: Bool = true) throws(NetconvError) {
    let part = try KerasVariablePart(of: layer, in: [], trainsModels: trainsModels)
    guard layer.config.kerasVersion >= 3 else {
      let split = part.split()
      variables = split.trained + split.others
      return
    }
    let listed = part.listed()
    let isTrained = part.isTrained
    variables =
      (listed.filter { isTrained && $0.isTrained } + listed.filter { !isTrained || !$0.isTrained })
      .map(\.variable)
  }

  /// Returns true if arrays with these names can be the variables.
  func fits(_ names: [String]) -> Bool {
    names.count == variables.count
      && zip(names, variables).allSatisfy { name, variable in
        variable.weight.isCalled(KerasH5Weights.shortName(name))
      }
  }

  /// Returns true if a name attributes an array to a layer other than the one that the order assigns it to.
  func isContradicted(by names: [String]) -> Bool {
    let layers = Set(variables.compactMap(\.layer.last))
    return zip(names, variables).contains { name, variable in
      let owners = name.split(separator: "/").dropLast().map(String.init)
      return variable.layer.last.map { !owners.contains($0) } ?? false
        && owners.contains(where: layers.contains)
    }
  }
}

/// The variables of a layer or a model.
private struct KerasVariablePart {
  private enum Content {
    case variables([(variable: KerasVariableOrder.Variable, isTrained: Bool)])
    case layers([KerasVariablePart])
    case model([KerasVariablePart])
  }

  /// True if the layer itself is trainable.
  let isTrained: Bool
  private let content: Content

  /// Returns the variables of all nested layers with their trainability, in the order of Keras 3's `weights`.
  func listed() -> [(variable: KerasVariableOrder.Variable, isTrained: Bool)] {
    switch content {
    case .variables(let own): own.map { ($0.variable, isTrained && $0.isTrained) }
    case .layers(let parts), .model(let parts): parts.flatMap { $0.listed() }
    }
  }

  /// Returns the variables in the order of Keras 2, where each layer lists its trainable variables first.
  func split() -> (
    trained: [KerasVariableOrder.Variable], others: [KerasVariableOrder.Variable]
  ) {
    switch content {
    case .variables(let own):
      let listed = own.filter { isTrained && $0.isTrained }
      return (
        listed.map(\.variable), own.filter { !isTrained || !$0.isTrained }.map(\.variable)
      )
    case .layers(let parts):
      let lists = parts.map { $0.split() }
      return isTrained
        ? (lists.flatMap(\.trained), lists.flatMap(\.others))
        : ([], lists.flatMap { $0.trained + $0.others })
    case .model(let parts):
      let lists = parts.map { $0.split() }
      return isTrained
        ? (lists.flatMap(\.trained), lists.flatMap(\.others))
        : ([], lists.flatMap(\.trained) + lists.flatMap(\.others))
    }
  }
}

extension KerasVariablePart {
  /// - Parameter models: The enclosing models.
  init(
    of layer: KerasLayerTree, in models: [String], trainsModels: Bool
  ) throws(NetconvError) {
    let path = models + [layer.config.name]
    guard let inner = layer.inner else {
      try self.init(layer.config, path, parts: [])
      return
    }
    var layers: [KerasVariablePart] = []
    for layer in inner {
      layers.append(try KerasVariablePart(of: layer, in: path, trainsModels: trainsModels))
    }
    guard layer.config.className == KerasTimeDistributed.className else {
      self.init(
        isTrained: layer.config.statesTraining ?? trainsModels, content: .model(layers))
      return
    }
    let model = try layer.config.part("layer", called: layer.config.name)
    let part = KerasVariablePart(
      isTrained: model.statesTraining ?? trainsModels, content: .model(layers))
    self.init(isTrained: layer.config.isTrained, content: .layers([part]))
  }

  private init(
    _ layer: KerasLayerConfig, _ path: [String], parts: [String]
  ) throws(NetconvError) {
    var inner: [KerasVariablePart] = []
    switch layer.className {
    case KerasTimeDistributed.className:
      let part = try layer.part("layer", called: layer.name)
      inner.append(try KerasVariablePart(part, path, parts: parts + ["layer"]))
    case KerasBidirectional.className:
      let (forward, backward) = try KerasBidirectional.layers(of: layer)
      inner.append(try KerasVariablePart(forward, path, parts: parts + ["forward"]))
      inner.append(try KerasVariablePart(backward, path, parts: parts + ["backward"]))
    case KerasRecurrentCell.className:
      for (cell, part) in try KerasRecurrentCell.layers(of: layer) {
        inner.append(try KerasVariablePart(cell, path, parts: parts + [part.name]))
      }
    case let name where KerasMultiHeadAttention.classNames.contains(name):
      // The width of the queries is that of no variable's name.
      for projection in try KerasMultiHeadAttention.projections(of: layer, queryWidth: 1).all {
        inner.append(
          try KerasVariablePart(projection.layer, path, parts: parts + [projection.part.name]))
      }
    default:
      let own = try layer.ownVariables()
      self.init(
        isTrained: layer.isTrained,
        content: .variables(
          own.map { weight, isTrained in
            (KerasVariableOrder.Variable(layer: path, parts: parts, weight: weight), isTrained)
          }))
      return
    }
    self.init(isTrained: layer.isTrained, content: .layers(inner))
  }
}

extension KerasLayerConfig {
  /// True if the layer's own setting makes it trainable.
  var isTrained: Bool { statesTraining ?? true }

  /// The layer's own setting; `nil` if it has none.
  fileprivate var statesTraining: Bool? { settings["trainable"]?.truth }

  /// Returns the layer's variables in the order of their creation, with their trainability.
  fileprivate func ownVariables() throws(NetconvError) -> [(weight: KerasWeight, isTrained: Bool)] {
    let layer = isChannelsFirst ? withChannelsLast : self
    // The second row of a bias is not a variable of its own.
    var weights = try layer.allWeights().filter { $0.role != .recurrentBias }
    // A wrapper lists the kernel of its wrapped layer, its own state, and then the other variables of that layer.
    if wrapper != nil, weights.count > 2 { weights.insert(weights.removeLast(), at: 1) }
    let adapted = try lora == nil ? [] : KerasLoRA.parts(of: className)
    return weights.enumerated().map { index, weight in
      (weight, weight.isTrained && (index > 0 || adapted.isEmpty))
    } + adapted.map { (KerasWeight(name: $0, role: nil), true) }
  }
}

extension KerasWeight {
  /// True if the weight is trainable in a trainable layer.
  fileprivate var isTrained: Bool {
    switch role {
    case .mean, .variance, nil: false
    default: true
    }
  }
}
