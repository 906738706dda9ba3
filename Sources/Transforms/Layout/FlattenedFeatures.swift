import ModelIR

/// Parameters over features that come from flattened images, where no layout can say so.
///
/// A flatten merges H, W, C here, and C, H, W for a consumer with channels first. A kernel right behind one has these
/// axes in its layout, and is put in the consumer's order. Behind a concatenation of flattens, or in front of a recurrent
/// layer, no layout has them: the kernel keeps its order. So it does where the source itself puts the channels first.
public struct FlattenedFeatures: Sendable {
  /// A parameter, and the flattens that its features come from.
  public struct Use: Sendable, Equatable {
    /// The layer that has it.
    public let layer: String
    /// What it is to the layer.
    public let role: ParameterRole
    /// The names of the layers that flatten, in the order of the graph.
    public let flattens: [String]
    /// Whether channels come first in the features, last, or each in some.
    public let orders: Set<PixelStep.AxisOrder>
  }

  /// In the order of the layers; a shared parameter once.
  public private(set) var uses: [Use] = []

  /// Where the features of a value come from, which its last axis counts.
  private struct Origin {
    var flattens: [String] = []
    var orders: Set<PixelStep.AxisOrder> = []
    /// Whether flattened features were flattened once more, so that no layout has all of their axes.
    var isNested = false
  }

  private var origins: [String: Origin] = [:]
  /// The values in which the channels were put first.
  private var turned: Set<String> = []

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
    let isTurned = layer.inputs.contains(where: turned.contains)
    if layer.mergesAxes(channelsFirst: isTurned) {
      origins[layer.name] = Origin(
        flattens: read.flattens + [layer.name],
        orders: read.orders.union([isTurned ? .channelsFirst : .channelsLast]),
        isNested: !read.flattens.isEmpty)
    } else if !read.flattens.isEmpty, layer.keepsFeatures {
      origins[layer.name] = read
    }
    let flow = layer.operation.axisFlow(from: layer.inputShapes)
    if flow == .channelsFirst || flow == .elementwise && isTurned { turned.insert(layer.name) }
  }

  /// Where the features of several values come from.
  private func origin(of inputs: [String]) -> Origin {
    inputs.compactMap { origins[$0] }.reduce(into: Origin()) { all, one in
      all.flattens += one.flattens.filter { !all.flattens.contains($0) }
      all.orders.formUnion(one.orders)
      all.isNested = all.isNested || one.isNested
    }
  }
}

extension Layer {
  /// The sizes of the first input.
  private var input: [Int?] { inputShapes.first?.dimensions ?? [] }

  /// Whether the last axis counts what several axes of the input do, channels among them.
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

  /// Whether a parameter counts the features that the layer reads.
  ///
  /// - Parameter named: whether one that has the axes behind them in its layout does not matter.
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
