import ModelIR

/// Parameters over features of flattened images whose order no layout can express.
///
/// A flatten merges H, W, C here, and C, H, W for a channels-first target. A kernel directly after a flatten has these
/// axes in its layout, and is converted to the target's order. After a concatenation of flattens, or before a recurrent
/// layer, no layout has them: the kernel keeps its order. The same holds where the source itself moves the channels
/// first.
public struct FlattenedFeatures: Sendable {
  /// A parameter, and the flattens that its features come from.
  public struct Use: Sendable, Equatable {
    /// The layer that has the parameter.
    public let layer: String
    /// The role in the layer.
    public let role: ParameterRole
    /// The names of the flattening layers, in the order of the graph.
    public let flattens: [String]
    /// The orders of channels among the features.
    public let orders: Set<PixelStep.AxisOrder>
  }

  /// The parameters in the order of the layers; a shared parameter occurs once.
  public private(set) var uses: [Use] = []

  /// The origin of the features along the last axis of a value.
  private struct Origin {
    var flattens: [String] = []
    var orders: Set<PixelStep.AxisOrder> = []
    /// True if flattened features were flattened again, so that no layout has all of their axes.
    var isNested = false
  }

  private var origins: [String: Origin] = [:]
  /// The values that were permuted to channels first.
  private var transposed: Set<String> = []

  /// Follows features through the layers of `model`.
  public init(of model: Model) {
    var seen: Set<String> = []
    for layer in model.layers {
      let read = origin(of: layer.inputs)
      follow(layer, read)
      for tensor in layer.parameters
      where !read.flattens.isEmpty
        && layer.countsFeatures(in: tensor.spec, named: !read.isNested)
      {
        guard seen.insert("\(tensor.layer)\u{0}\(tensor.spec.role)").inserted else { continue }
        uses.append(
          Use(
            layer: tensor.layer, role: tensor.spec.role, flattens: read.flattens,
            orders: read.orders))
      }
    }
  }

  private mutating func follow(_ layer: Layer, _ read: Origin) {
    let isTransposed = layer.inputs.contains(where: transposed.contains)
    if layer.mergesAxes(channelsFirst: isTransposed) {
      origins[layer.name] = Origin(
        flattens: read.flattens + [layer.name],
        orders: read.orders.union([isTransposed ? .channelsFirst : .channelsLast]),
        isNested: !read.flattens.isEmpty)
    } else if !read.flattens.isEmpty, layer.keepsFeatures {
      origins[layer.name] = read
    }
    let flow = layer.operation.axisFlow(from: layer.inputShapes)
    if flow == .channelsFirst || flow == .elementwise && isTransposed {
      transposed.insert(layer.name)
    }
  }

  /// Returns the combined origin of several values.
  private func origin(of inputs: [String]) -> Origin {
    inputs.compactMap { origins[$0] }.reduce(into: Origin()) { all, one in
      all.flattens += one.flattens.filter { !all.flattens.contains($0) }
      all.orders.formUnion(one.orders)
      all.isNested = all.isNested || one.isNested
    }
  }
}

extension Layer {
  /// The shape of the first input.
  private var input: [Int?] { inputShapes.first?.dimensions ?? [] }

  /// Returns true if the last axis merges several axes of the input, including the channels.
  fileprivate func mergesAxes(channelsFirst: Bool) -> Bool {
    guard operation.valueEffect != .computed, inputs.count == 1,
      let channels = (channelsFirst ? input.first : input.last) ?? nil, channels > 1,
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

  /// Returns the number of axes with a size other than 1.
  private func extent(of sizes: [Int?]) -> Int { sizes.count { $0 != 1 } }

  /// True if the last axis has the same features as that of an input.
  fileprivate var keepsFeatures: Bool {
    let output = outputShape.dimensions
    switch operation.valueEffect {
    case .computed:
      return operation.axisFlow(from: inputShapes) == .elementwise
        || parameters.isEmpty && output.last == input.last
    case .none, .moved:
      // An axis that is split again becomes an image's channels.
      return !(inputs.count == 1 && output.count > input.count && output.last != input.last)
    }
  }

  /// Returns true if a parameter has an axis for the features that the layer reads.
  ///
  /// - Parameter named: true if parameters whose layout names the merged axes are excluded.
  fileprivate func countsFeatures(in spec: ParameterSpec, named: Bool) -> Bool {
    guard let features = input.last ?? nil, !spec.isSharedAcrossFlattens else { return false }
    return spec.layout.dimensions.contains { dimension in
      guard dimension.axes.contains(.inputChannels) || dimension.axes.contains(.channels) else {
        return false
      }
      let size = dimension.axes.reduce(1) { $0 * (spec.sizes[$1] ?? 1) }
      return size == features && (dimension.axes.count == 1 || !named)
    }
  }
}
