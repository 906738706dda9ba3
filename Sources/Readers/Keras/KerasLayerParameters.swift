import ModelIR
import Operators

extension KerasLayers {
  /// Returns the parameters that the weights of a layer are, as far as its class determines them without the graph.
  ///
  /// The layer's operator names the axes. Their sizes come from the stored shapes, because the input of the layer is
  /// unknown.
  /// - Parameter weights: Names and shapes; a weight that the file only numbers is named `vars/0`.
  /// - Returns: The parameter of each weight, or `nil` where the class has no such weight; `nil` for the whole list
  ///   if the class has no mapping, or the layer contradicts it.
  static func parameters(
    of layer: KerasLayerConfig, _ weights: [(name: String, shape: [Int])]
  ) -> [ParameterSpec?]? {
    guard let mapping = mapping(of: layer.className), KerasLocalKernels.isPlain(layer) else {
      return nil
    }
    let kernelLayout = { layer.keras1KernelLayout($0) }
    let layer = layer.isChannelsFirst ? layer.withChannelsLast : layer
    // An unsupported activation does not affect the weights.
    guard
      let operation = (try? mapping.operation(of: layer))
        ?? (try? mapping.operation(of: layer.withoutActivation)),
      let expected = try? layer.allWeights()
    else { return nil }
    // Keras 1 uses different names in the same order.
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
        // A weight used in training only has a name, but no role.
        let name = isNumbered ? expected[index].name : weights[index].name
        return try? ParameterSpec(ParameterRole(rawValue: name), shape: weights[index].shape)
      }
      // Axes counted from the front depend on the rank of the input.
      guard views.allSatisfy({ $0[index]?.layout == spec.layout }) else {
        return spec.withoutNames(weights[index].shape)
      }
      return spec
    }
  }

  /// Matches weights with `specs`; `nil` if the rank of a weight differs.
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

  /// Inputs of every rank, for operators whose parameters have the rank of their input.
  ///
  /// Zero channels are divisible by any number of groups, and no kernel is larger than the image.
  private static let possibleInputs: [Shape] = (1...4).map { rank in
    Shape([Int](repeating: attributeLimit, count: rank - 1) + [0])
  }
}

/// The maximum size of an operator's kernel.
private let attributeLimit = 1 << 20

extension KerasLayerConfig {
  /// The layer with a linear activation.
  fileprivate var withoutActivation: KerasLayerConfig {
    replacing("activation", with: .string("linear"))
  }
}

extension ParameterSpec {
  /// Returns the parameter with the sizes of a stored shape of the same rank.
  ///
  /// - Parameter stored: The layout of the shape, if it differs from the parameter's.
  fileprivate func sized(_ shape: [Int], _ stored: Layout?) -> ParameterSpec {
    var sizes = sizes
    // The operator knows the sizes of merged axes.
    for (dimension, size) in zip((stored ?? layout).dimensions, shape)
    where dimension.axes.count == 1 {
      sizes[dimension.axes[0]] = size
    }
    // The exception is the number of input channels, which follows from the other merged axes.
    for (dimension, size) in zip((stored ?? layout).dimensions, shape)
    where dimension.axes.count > 1 && dimension.axes.contains(.inputChannels) {
      let others = dimension.axes.filter { $0 != .inputChannels }
        .reduce(1) { $0 * (sizes[$1] ?? 1) }
      if sizes[.inputChannels] == 0, others > 0 { sizes[.inputChannels] = size / others }
    }
    return ParameterSpec(
      role, kind, layout, sizes, isOptional: isOptional, featureAxis: featureAxis)
  }

  /// Returns the parameter with axes named by position.
  fileprivate func withoutNames(_ shape: [Int]) -> ParameterSpec? {
    (try? ParameterSpec(role, shape: shape)).map { ParameterSpec(role, kind, $0.layout, $0.sizes) }
  }
}
