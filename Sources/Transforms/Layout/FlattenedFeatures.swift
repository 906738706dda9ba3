import ModelIR

/// Parameters over features that come from flattened images, where no layout can say so.
///
/// A flatten merges H, W, C here, and C, H, W for a consumer with channels first. A kernel right behind one has these
/// axes in its layout, and is put in the consumer's order. Behind a concatenation of flattens, or a flatten of each step
/// of a sequence, no layout has them: the kernel keeps the order H, W, C.
public struct FlattenedFeatures: Sendable {
  /// A parameter, and the flattens that its features come from.
  public struct Use: Sendable, Equatable {
    /// The layer that has it.
    public let layer: String
    /// What it is to the layer.
    public let role: ParameterRole
    /// The names of the layers that flatten, in the order of the graph.
    public let flattens: [String]
  }

  /// In the order of the layers; a shared parameter once.
  public private(set) var uses: [Use] = []

  /// The layers that flattened what the last axis of a value counts.
  private var flattens: [String: [String]] = [:]

  /// Follows features through the layers of `model`.
  public init(of model: Model) {
    var seen: Set<String> = []
    for layer in model.layers {
      let read = layer.inputs.reduce(into: [String]()) { names, input in
        names += (flattens[input] ?? []).filter { !names.contains($0) }
      }
      if let name = layer.inputs.first, layer.mergesAxes,
        model.layer(named: name)?.puts(.channelsFirst) != true
      {
        flattens[layer.name] = read + [layer.name]
        continue
      }
      guard !read.isEmpty else { continue }
      flattens[layer.name] = layer.keepsFeatures ? read : []
      for tensor in layer.parameters where layer.hasUnnamedFeatures(tensor.spec) {
        guard seen.insert("\(tensor.layer)\u{0}\(tensor.spec.role)").inserted else { continue }
        uses.append(Use(layer: tensor.layer, role: tensor.spec.role, flattens: read))
      }
    }
  }
}

extension Layer {
  /// The sizes of the first input.
  private var input: [Int?] { inputShapes.first?.dimensions ?? [] }

  /// Whether the last axis counts what several axes of the input do, channels among them.
  fileprivate var mergesAxes: Bool {
    guard operation.valueEffect != .computed, inputs.count == 1,
      let channels = input.last ?? nil, channels > 1,
      let features = outputShape.dimensions.last ?? nil, features > channels,
      extent(of: outputShape.dimensions) < extent(of: input)
    else { return false }
    var product = 1
    for size in input.reversed() {
      guard let size, product < features else { break }
      product *= size
    }
    return product == features
  }

  /// How many axes have more than one place.
  private func extent(of sizes: [Int?]) -> Int { sizes.count { $0 != 1 } }

  /// Whether the last axis counts what that of an input does.
  fileprivate var keepsFeatures: Bool {
    let output = outputShape.dimensions
    switch operation.valueEffect {
    case .computed:
      return operation.axisFlow(from: inputShapes) == .elementwise
        || parameters.isEmpty && output.last == input.last
    case .none, .moved:
      // An axis that is split again is an image's channels.
      return !(inputs.count == 1 && output.count > input.count && output.last != input.last)
    }
  }

  /// Whether a parameter counts the features that the layer reads on an axis of its own.
  fileprivate func hasUnnamedFeatures(_ spec: ParameterSpec) -> Bool {
    guard let features = input.last ?? nil, !spec.isSharedAcrossFlattens else { return false }
    return spec.layout.dimensions.contains { dimension in
      dimension.axes.count == 1
        && dimension.axes.contains { axis in
          [.inputChannels, .channels].contains(axis) && spec.sizes[axis] == features
        }
    }
  }
}
