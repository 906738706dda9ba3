import ModelIR
import Operators

extension KerasLayers {
  /// What weights are to a layer, as far as its class says it without the graph.
  ///
  /// The operator that the layer would be names the axes; their sizes are those of the stored shapes, since
  /// what the layer reads is not known.
  /// - Parameter weights: names and shapes; a weight that the file only numbers is called `vars/0`.
  /// - Returns: for each weight its parameter, or `nil` where the class does not have it; `nil` for all if the
  ///   class has no mapping, or the layer cannot be what it says.
  static func parameters(
    of layer: KerasLayerConfig, _ weights: [(name: String, shape: [Int])]
  ) -> [ParameterSpec?]? {
    guard let mapping = mapping(of: layer.className), KerasLocalKernels.isPlain(layer) else {
      return nil
    }
    let kernelLayout = { layer.keras1KernelLayout($0) }
    let layer = layer.isChannelsFirst ? layer.withChannelsLast : layer
    // An activation that cannot be read says nothing of the weights.
    guard
      let operation = (try? mapping.operation(of: layer))
        ?? (try? mapping.operation(of: layer.withoutActivation)),
      let expected = try? layer.allWeights()
    else { return nil }
    // Keras 1 has other names, in the same order.
    let isNumbered = layer.kerasVersion == 1 || weights.allSatisfy { $0.name.hasPrefix("vars/") }
    guard !isNumbered || weights.count == expected.count else { return nil }
    let roles = weights.enumerated().map { index, weight in
      isNumbered ? expected[index].role : expected.first { $0.isCalled(weight.name) }?.role
    }
    let views = possibleInputs.compactMap { input in
      (try? operation.parameters(for: [input])).flatMap { specs in
        Self.views(of: weights, roles, specs, kernelLayout)
      }
    }
    guard let first = views.first else { return nil }
    return weights.indices.map { index in
      guard let spec = first[index] else {
        // What matters in training only has a name, and no role.
        let name = isNumbered ? expected[index].name : weights[index].name
        return try? ParameterSpec(ParameterRole(rawValue: name), shape: weights[index].shape)
      }
      // Axes that are counted from the first are others for each rank of the input.
      guard views.allSatisfy({ $0[index]?.layout == spec.layout }) else {
        return spec.withoutNames(weights[index].shape)
      }
      return spec
    }
  }

  /// The parameters that weights are among `specs`; `nil` if one of them has another number of axes.
  private static func views(
    of weights: [(name: String, shape: [Int])], _ roles: [ParameterRole?], _ specs: [ParameterSpec],
    _ kernelLayout: ([Int]) -> Layout?
  ) -> [ParameterSpec?]? {
    var views: [ParameterSpec?] = []
    for (weight, role) in zip(weights, roles) {
      let stored = role == .kernel ? kernelLayout(weight.shape) : nil
      let spec = specs.first {
        $0.role == role && (stored ?? $0.layout).rank == weight.shape.count
      }
      guard spec != nil || role == nil else { return nil }
      views.append(spec?.sized(weight.shape, stored))
    }
    return views
  }

  /// Inputs of every rank, for operators whose parameters have as many axes as their input.
  ///
  /// No channels are divided by any number of groups, and no kernel is larger than the image.
  private static let possibleInputs: [Shape] = (1...4).map { rank in
    Shape([Int](repeating: attributeLimit, count: rank - 1) + [0])
  }
}

/// The largest kernel that an operator takes.
private let attributeLimit = 1 << 20

extension KerasLayerConfig {
  /// The same layer with the identity for its activation.
  fileprivate var withoutActivation: KerasLayerConfig {
    replacing("activation", with: .string("linear"))
  }
}

extension ParameterSpec {
  /// The same parameter with the sizes of a stored shape of as many axes.
  ///
  /// - Parameter stored: the order of the shape's axes, where it is another one.
  fileprivate func sized(_ shape: [Int], _ stored: Layout?) -> ParameterSpec {
    var sizes = sizes
    // Of axes that are merged, the operator knows the sizes.
    for (dimension, size) in zip((stored ?? layout).dimensions, shape)
    where dimension.axes.count == 1 {
      sizes[dimension.axes[0]] = size
    }
    // But for the channels of the input, where it does not know that.
    for (dimension, size) in zip((stored ?? layout).dimensions, shape)
    where dimension.axes.count > 1 && dimension.axes.contains(.inputChannels) {
      let others = dimension.axes.filter { $0 != .inputChannels }
        .reduce(1) { $0 * (sizes[$1] ?? 1) }
      if sizes[.inputChannels] == 0, others > 0 { sizes[.inputChannels] = size / others }
    }
    return ParameterSpec(
      role, kind, layout, sizes, isOptional: isOptional, featureAxis: featureAxis)
  }

  /// The same parameter with its axes called by their places.
  fileprivate func withoutNames(_ shape: [Int]) -> ParameterSpec? {
    (try? ParameterSpec(role, shape: shape)).map { ParameterSpec(role, kind, $0.layout, $0.sizes) }
  }
}
