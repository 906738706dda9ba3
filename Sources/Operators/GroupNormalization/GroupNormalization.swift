import ModelIR

/// Normalisation over all positions and a group of channels.
public struct GroupNormalization: VarianceOperator {
  /// The operator's name in documents.
  public static let name = "GroupNormalization"

  /// The number of channel groups; -1 for one group per channel.
  public let groups: Int
  /// The constant that is added to the variance.
  public var epsilon: Double
  /// The channel axis, not counting the batch; negative values count from the end.
  public let axis: Int

  /// Creates a normalisation in `groups` groups; Keras's defaults are 32 and 0.001.
  public init(groups: Int, epsilon: Double = 0.001, axis: Int = -1) {
    self.groups = groups
    self.epsilon = epsilon
    self.axis = axis
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case groups
    case epsilon
    case axis
  }

  /// Decodes the attributes; the defaults are an epsilon of 0.001 and the last axis.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      groups: try attributes.decode(Int.self, forKey: .groups),
      epsilon: try attributes.value(.epsilon, default: 0.001),
      axis: try attributes.value(.axis, default: -1))
  }

  /// Returns the shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let axis = try resolve(axis: axis, rank: inputs[0].rank)
    guard let channels = inputs[0].dimensions[axis] else { throw .unknownSize(inputs[0]) }
    guard groups == -1 || (groups > 0 && channels % groups == 0) else {
      throw .wrongGroups(groups, channels: channels)
    }
    return inputs[0]
  }

  /// Values keep their indices.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Neighbouring channels form a group.
  public var orderDependence: OrderDependence { .full }

  /// Values are shifted and scaled.
  public var valueEffect: ValueEffect { .computed }

  /// The number of values in a group.
  public func fanIn(of inputs: [[Int]]) -> Int {
    let channels = (try? resolve(axis: axis, rank: inputs[0].count)).map { inputs[0][$0] } ?? 1
    return inputs[0].reduce(1, *) / max(1, groups == -1 ? channels : groups)
  }

  /// Returns gamma and beta, both optional, with one value per channel.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let axis = try resolve(axis: axis, rank: inputs[0].rank)
    return [
      try inputs[0].parameter(.gamma, along: [axis], isOptional: true),
      try inputs[0].parameter(.beta, along: [axis], isOptional: true),
    ]
  }

  /// Returns the slices of the groups for an input of `shape`, and the channel of each value of the first group.
  ///
  /// The channels of the other groups follow in the order of the slices.
  package func groupSlices(
    of shape: [Int]
  ) throws(NetconvError) -> (slices: AxisSlices, channels: [Int]) {
    let axis = try resolve(axis: axis, rank: shape.count)
    let count = groups == -1 ? shape[axis] : groups
    let size = shape[axis] / max(1, count)
    // The channel axis is split in two: the group, and the channel within it.
    let split = shape[..<axis] + [count, size] + shape[(axis + 1)...]
    let slices = AxisSlices(of: Array(split), along: split.indices.filter { $0 != axis })
    let stride = shape[(axis + 1)...].reduce(1, *)
    return (slices, slices.offsets.map { $0 / stride % max(1, size) })
  }

  /// y = gamma · (x - mean) / √(variance + epsilon) + beta, with the statistics of each group.
  ///
  /// Source: Wu and He, "Group Normalization" (2018).
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    var y = inputs[0]
    _ = try outputShape(for: [Shape(y.shape)])
    let (slices, channels) = try groupSlices(of: y.shape)
    let size = (channels.max() ?? 0) + 1
    for (group, start) in slices.starts.enumerated() {
      let x = slices.offsets.map { y.values[start + $0] }
      let mean = x.reduce(0, +) / Double(x.count)
      let variance = x.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(x.count)
      for (index, offset) in slices.offsets.enumerated() {
        let channel = group * size + channels[index]
        let scale = (parameters[.gamma]?.values[channel] ?? 1) / (variance + epsilon).squareRoot()
        y.values[start + offset] =
          scale * (x[index] - mean) + (parameters[.beta]?.values[channel] ?? 0)
      }
    }
    return y
  }
}
