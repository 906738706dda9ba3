import Documents
import ModelIR
import Operators
import Transforms

/// The layers of an architecture with their operators.
struct KerasMappedLayers {
  private struct Mapped {
    /// The layer, with Keras's defaults for missing settings.
    let layer: KerasLayerConfig
    /// The mapping; `nil` if the layer was replaced.
    let mapping: (any KerasLayerMapping.Type)?
    let operation: any Operator
    let weights: [KerasWeight]

    /// Arranges the weights of a file as the operator expects them.
    func arranged(
      _ found: [(name: String, stored: StoredTensor)]
    ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
      let joined =
        operation is any SteppingOperator ? KerasRecurrent.arranged(found, of: layer) : found
      return try KerasReversibleEmbedding.arranged(
        KerasEinsumDense.arranged(
          KerasLocalKernels.arranged(joined, of: layer), of: layer), of: layer)
    }
  }

  private var layers: [String: Mapped] = [:]
  /// The layers replaced by an operator, in the order of the configuration.
  private(set) var replaced: [ReplacementRecord] = []

  /// Maps every layer of `architecture` that is not replaced.
  ///
  /// - Throws: `badData` that lists every unsupported layer with name, class and position; `usage` if a replacement
  ///   is invalid.
  init(
    _ architecture: KerasArchitecture, replacing replacements: LayerReplacements
  ) throws(NetconvError) {
    try replacements.check(against: architecture)
    var unsupported: [Message] = []
    var seen: Set<String> = []
    let training = Set(architecture.nodes.filter(\.isTraining).map(\.owner))
    for node in architecture.nodes where seen.insert(node.owner).inserted {
      var layer = node.layer
      layer.kerasVersion = architecture.kerasVersion
      let place =
        "\(quoted(node.owner)) (\(quoted(layer.statedClass).dropFirst().dropLast())), \(node.place)"
      if let operation = node.operation {
        layers[node.owner] = Mapped(
          layer: layer, mapping: KerasIdentity.self, operation: operation, weights: [])
        continue
      }
      if let quantization = layer.quantization {
        unsupported.append("\(place): \(NetconvError.quantised(quantization).text)")
        continue
      }
      guard let mapping = KerasLayers.mapping(of: layer.className) else {
        if let replacement = replacements.byLayer[node.owner] {
          layers[node.owner] = Mapped(
            layer: layer, mapping: nil, operation: replacement.operation, weights: [])
          replaced.append(
            ReplacementRecord(
              layer: node.owner, className: layer.className, by: replacement.text))
        } else {
          let hint: Message =
            KerasClasses.isOwn(layer.className)
            ? "" : NetconvError.replacementHint(node.owner, layer.className)
          unsupported.append("\(place)\(hint)")
        }
        continue
      }
      do throws(NetconvError) {
        if training.contains(node.owner) { try layer.requireSameInTraining() }
        guard node.distribution == 0 || !layer.isChannelsFirst else {
          throw .distributedChannelsFirst
        }
        let mapped = layer.isChannelsFirst ? layer.withChannelsLast : layer
        layers[node.owner] = Mapped(
          layer: layer, mapping: mapping, operation: try mapping.operation(of: mapped),
          weights: try mapped.allWeights())
      } catch {
        unsupported.append("\(place): \(error.text)")
      }
    }
    guard unsupported.isEmpty else {
      throw NetconvError.unsupportedLayers(unsupported).inFile(architecture.file)
    }
  }

  /// Returns the steps for the calls of `architecture`; outputs keep their names.
  ///
  /// - Throws: `badData` if channels must be moved to the end and the shapes of the graph do not fit together.
  func steps(
    of architecture: KerasArchitecture
  ) throws(NetconvError) -> [KerasStep] {
    if layers.values.contains(where: \.layer.isChannelsFirst) {
      for record in replaced {
        guard let operation = layers[record.layer]?.operation, operation.orderDependence != .none
        else {
          continue
        }
        throw .replacedChannelsFirst(record.layer, by: type(of: operation).name)
      }
      do {
        return try stepsWithChannelsLast(of: architecture)
      } catch {
        throw error.inFile(architecture.file)
      }
    }
    return architecture.nodes.map { node in
      KerasStep(
        name: node.name, operation: operation(of: node), inputs: node.inputs, node: node,
        furtherOutputs: node.furtherOutputs)
    }
  }
}

// MARK: - Channels first

extension KerasMappedLayers {
  private func stepsWithChannelsLast(
    of architecture: KerasArchitecture
  ) throws(NetconvError) -> [KerasStep] {
    var nodes: [String: KerasArchitecture.Node] = [:]
    for node in architecture.nodes { nodes[node.name] = node }
    let graph = try ChannelsLast(
      inputs: architecture.inputs,
      layers: architecture.nodes.map { node in
        OrderedLayer(
          LayerDefinition(
            name: node.name, operation: operation(of: node), inputs: node.inputs,
            furtherOutputs: node.furtherOutputs, parameterOwner: node.owner),
          isChannelsFirst(node)
            ? .channelsFirst
            : .counted { operationWithChannelsLast(of: node, rank: $0) })
      }, outputs: architecture.outputs)
    return graph.layers.map { layer in
      KerasStep(
        name: layer.definition.name, operation: layer.definition.operation,
        inputs: layer.definition.inputs, node: layer.source.flatMap { nodes[$0] },
        furtherOutputs: Array(layer.definition.outputs.dropFirst()), layouts: layer.layouts)
    }
  }
}

// MARK: - Operators

extension KerasMappedLayers {
  /// Returns the operator of a call; the operator of a channels-first layer is for channels-last images.
  func operation(of node: KerasArchitecture.Node) -> any Operator {
    guard node.operation == nil, let operation = layers[node.owner]?.operation else {
      return node.operation ?? Identity()
    }
    return KerasTimeDistributed.distributed(
      KerasAttention.called(
        KerasRecurrent.called(operation, node.recurrence), node.attentionSettings),
      count: node.distribution)
  }

  /// Returns true if the channels are the first axis of the layer's images.
  func isChannelsFirst(_ node: KerasArchitecture.Node) -> Bool {
    layers[node.owner]?.layer.isChannelsFirst ?? false
  }

  /// Returns the operator of a call for the same array with the first axis moved to the end, if the layer accepts any
  /// array.
  ///
  /// - Parameter rank: The rank of the array without the batch.
  /// - Returns: `nil` if the layer requires its input in Keras's order.
  func operationWithChannelsLast(
    of node: KerasArchitecture.Node, rank: Int
  ) -> (any Operator)? {
    guard let mapped = layers[node.owner] else { return nil }
    if node.operation == nil, node.distribution == 0, let mapping = mapped.mapping,
      let axis = mapping.axisSetting
    {
      // Parameters over several axes would have to be reordered as well.
      guard mapped.weights.isEmpty || mapped.layer.value(of: axis.key)?.array?.count ?? 1 == 1
      else { return nil }
      // Some layers only operate on the last axis.
      return try? mapping.operation(
        of: mapped.layer.movingAxes(axis.key, default: axis.default, rank: rank))
    }
    let operation = operation(of: node)
    return operation.orderDependence == .none ? operation : nil
  }
}

// MARK: - Weights

extension KerasMappedLayers {
  /// Returns the roles of the weights of a call's layer.
  func roles(of node: KerasArchitecture.Node) -> Set<ParameterRole> {
    guard node.operation == nil else { return [] }
    return Set((layers[node.owner]?.weights ?? []).compactMap(\.role))
  }

  /// The weights of a step in a file.
  struct Weights {
    /// The weights by role.
    var parameters: [ParameterRole: StoredTensor] = [:]
    /// The number of values that are used in training only.
    var trainingOnlyCount = 0
  }

  /// Returns the weights of a step.
  ///
  /// - Throws: `badData` if a weight is missing or superfluous, or several have the same name.
  func weights(
    of step: KerasStep, _ source: any KerasWeightSource
  ) throws(NetconvError) -> Weights {
    if let constant = step.node?.constant {
      return Weights(parameters: [.value: constant.stored])
    }
    guard let node = step.node, node.operation == nil else { return Weights() }
    var weights = try weights(of: node, source)
    for (role, layout) in step.layouts {
      weights.parameters[role]?.layout = layout
    }
    return weights
  }

  private func weights(
    of node: KerasArchitecture.Node, _ source: any KerasWeightSource
  ) throws(NetconvError) -> Weights {
    if let mapped = layers[node.owner], mapped.mapping == nil {
      let arrays = try source.arrays(below: node.path)
      guard arrays.isEmpty else {
        throw .replacedHasWeights(arrays, by: type(of: mapped.operation).name)
      }
      return Weights()
    }
    let expected = layers[node.owner]?.weights ?? []
    var found = try source.weights(
      of: KerasWeightPlace(
        path: node.path, wrapped: node.layer.wrapped, parts: node.parts,
        isRecurrent: KerasRecurrent.hasCell(node.layer.className)),
      expected: expected, opaqueType: node.layer.opaqueType)
    if source.holdsLoRA { found = try node.layer.addingLoRA(found) }
    if let mapped = layers[node.owner] { found = try mapped.arranged(found) }
    let foundNames = found.map(\.name)
    var weights = Weights()
    for weight in expected {
      guard let stored = found.first(where: { weight.isCalled($0.name) })?.stored else {
        throw .missingWeight(weight.name, found: foundNames)
      }
      if let role = weight.role {
        weights.parameters[role] =
          role == .kernel
          ? try (layers[node.owner]?.layer ?? node.layer)
            .kernel(stored, isOfTheano: source.isOfTheano) : stored.asVector
      } else {
        weights.trainingOnlyCount += stored.source.count
      }
    }
    let expectedNames = expected.map(\.name)
    let extra = found.first { found in !expected.contains { $0.isCalled(found.name) } }
    if let extra = extra?.name {
      throw .extraWeight(extra, expected: expectedNames)
    }
    guard Set(foundNames).count == foundNames.count else {
      throw .repeatedWeight(foundNames)
    }
    return weights
  }
}

extension KerasLayerConfig {
  /// Returns a kernel in TensorFlow's orientation; Theano rotated convolution kernels by 180 degrees.
  ///
  /// Source: Keras 2.3, `preprocess_weights_for_loading` and `conv_utils.convert_kernel`.
  func kernel(
    _ stored: StoredTensor, isOfTheano: Bool
  ) throws(NetconvError) -> StoredTensor {
    var kernel = stored
    kernel.layout = keras1KernelLayout(stored.shape) ?? stored.layout
    if isOfTheano {
      switch className {
      case "Conv1D": kernel.reversed = [.width]
      case "Conv2D", "Conv2DTranspose": kernel.reversed = [.height, .width]
      case "Conv3D", "Conv3DTranspose", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D":
        throw .kernelOfTheano(className)
      default: break
      }
    }
    return kernel
  }
}

extension KerasWeight {
  /// Returns true if the name is that of the weight in some version of Keras.
  func isCalled(_ found: String) -> Bool {
    found == name || otherNames.contains(found)
      || otherNames.contains { Self.isNumbered(found, $0) }
  }

  /// Returns true if a name is `base` with a number, which makes the names of unnamed variables unique.
  private static func isNumbered(_ name: String, _ base: String) -> Bool {
    guard name.hasPrefix(base + "_") else { return false }
    let number = name.dropFirst(base.count + 1)
    return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
  }
}

extension StoredTensor {
  /// A scalar, which Keras stores with rank 0, as a vector of one element.
  var asVector: StoredTensor {
    var vector = self
    if shape == [] { vector.shape = [1] }
    return vector
  }
}

extension NetconvError {
  fileprivate static func replacedHasWeights(_ weights: [String], by name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the file holds weights of this layer, which \(name) would leave out; only a layer without weights can "
        + "be replaced", details: weights.prefix(20).map { escaped($0) })
  }

  fileprivate static func replacedChannelsFirst(_ layer: String, by name: String) -> NetconvError {
    NetconvError(
      .usage,
      "the model has channels first, and \(name) in place of \(quoted(layer)) does not treat all "
        + "axes alike; only an operator that does can replace a layer there")
  }

  /// Returns the hint for a layer that an operator could replace.
  fileprivate static func replacementHint(_ layer: String, _ className: String) -> Message {
    let option = quoted("\(layer)=Rescaling(scale: 1/127.5, offset: -1)")
    return className == "Lambda"
      ? ": its code is Python's; state what it computes, as in \(.replacements) \(option)"
      : ": if it has no weights, state what it computes, as in \(.replacements) \(option)"
  }

  fileprivate static let distributedChannelsFirst = NetconvError(
    .badData, "data_format is channels_first inside TimeDistributed, which is not read")

  fileprivate static func unsupportedLayers(_ list: [Message]) -> NetconvError {
    NetconvError(
      .badData,
      text: (list.count == 1
        ? "1 layer is not supported" : "\(list.count) layers are not supported") + weightsAlone,
      list: list)
  }

  fileprivate static func extraWeight(_ name: String, expected: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "the file holds a weight \(quoted(name)) that the layer does not have; expected "
        + (expected.isEmpty ? "none" : expected.joined(separator: ", ")))
  }

  fileprivate static func kernelOfTheano(_ className: String) -> NetconvError {
    NetconvError(
      .badData,
      "Theano computed with this model, and rotated the kernel; netconv rotates back kernels of Conv2D and "
        + "Conv2DTranspose, not of \(className); load and save the model with Keras on TensorFlow")
  }

  fileprivate static func repeatedWeight(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "the file holds several weights of one name: "
        + names.quotedList)
  }
}
