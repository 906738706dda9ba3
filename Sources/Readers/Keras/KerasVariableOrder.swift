import Documents
import ModelIR

/// The variables of a layer at the top of a model, in the order in which HDF5 lists them.
///
/// Keras binds them by this order alone. Their names are those that layers had when they were built, which may be
/// others now, or the same in several models. First come the variables that are trained, of all layers inside, then the
/// others.
///
/// Source: keras/src/legacy/saving/legacy_h5_format.py, `_legacy_weights`; `trainable_weights` and
/// `non_trainable_weights` in keras/src/layers/layer.py, tf_keras/src/engine/base_layer.py and training.py.
struct KerasVariableOrder {
  /// A variable, and whose it is.
  struct Variable {
    /// The models that the layer lies in, outermost first, and the layer itself.
    let layer: [String]
    /// The layers in it, down to the one whose variable it is.
    let parts: [String]
    /// What it is called there.
    let weight: KerasWeight

    /// ``layer`` and ``parts``.
    var path: [String] { layer + parts }
  }

  /// The variables in the order of the file.
  let variables: [Variable]

  /// The order for `layer`, the models and layers in it included.
  ///
  /// - Parameter trainsModels: Whether models are trained of which the file does not say it, as Keras 2 does not of a
  ///   Sequential one; it loads them as if they were.
  /// - Throws: `badData` if something in it cannot be spelled out.
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

  /// Whether arrays of these names can be the variables.
  func fits(_ names: [String]) -> Bool {
    names.count == variables.count
      && zip(names, variables).allSatisfy { name, variable in
        variable.weight.isCalled(KerasH5Weights.shortName(name))
      }
  }

  /// Whether a name says that an array is another layer's than the one that the order gives it to.
  func isContradicted(by names: [String]) -> Bool {
    let layers = Set(variables.compactMap(\.layer.last))
    return zip(names, variables).contains { name, variable in
      let owners = name.split(separator: "/").dropLast().map(String.init)
      return variable.layer.last.map { !owners.contains($0) } ?? false
        && owners.contains(where: layers.contains)
    }
  }
}

/// A layer or a model, and the variables in it.
private struct KerasVariablePart {
  private enum Content {
    case variables([(variable: KerasVariableOrder.Variable, isTrained: Bool)])
    case layers([KerasVariablePart])
    case model([KerasVariablePart])
  }

  /// Whether the layer itself is trained, whatever is in it.
  let isTrained: Bool
  private let content: Content

  /// The variables of all layers in it, each with whether its layer trains it: what Keras 3 calls weights.
  func listed() -> [(variable: KerasVariableOrder.Variable, isTrained: Bool)] {
    switch content {
    case .variables(let own): own.map { ($0.variable, isTrained && $0.isTrained) }
    case .layers(let parts), .model(let parts): parts.flatMap { $0.listed() }
    }
  }

  /// The variables as Keras 2 has them, whose layers each list those that are trained first.
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
  /// - Parameter models: Those that the layer lies in.
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
  /// Whether the layer is trained, as far as its own setting says it.
  var isTrained: Bool { statesTraining ?? true }

  /// The same; `nil` if the layer has no such setting.
  fileprivate var statesTraining: Bool? { settings["trainable"]?.truth }

  /// The layer's variables in the order in which it makes them, each with whether it trains it.
  fileprivate func ownVariables() throws(NetconvError) -> [(weight: KerasWeight, isTrained: Bool)] {
    let layer = isChannelsFirst ? withChannelsLast : self
    // The second row of a bias is no variable of its own.
    var weights = try layer.allWeights().filter { $0.role != .recurrentBias }
    // A wrapper lists the kernel of the layer in it, its own state, and then what else is in that layer.
    if wrapper != nil, weights.count > 2 { weights.insert(weights.removeLast(), at: 1) }
    let adapted = try lora == nil ? [] : KerasLoRA.parts(of: className)
    return weights.enumerated().map { index, weight in
      (weight, weight.isTrained && (index > 0 || adapted.isEmpty))
    } + adapted.map { (KerasWeight(name: $0, role: nil), true) }
  }
}

extension KerasWeight {
  /// Whether a layer trains it that is trained itself.
  fileprivate var isTrained: Bool {
    switch role {
    case .mean, .variance, nil: false
    default: true
    }
  }
}
