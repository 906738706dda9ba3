import ModelIR

/// A factor and an offset, the same for all values or one for each channel.
public struct Rescaling: RescalingOperator {
  /// The operator's name in documents.
  public static let name = "Rescaling"

  /// The factor: one number, or one for each channel.
  public var scale: [Double]
  /// The offset that is added after scaling: one number, or one for each channel.
  public var offset: [Double]

  /// Creates a rescaling with a factor and an offset.
  public init(scale: [Double], offset: [Double] = [0]) {
    self.scale = scale
    self.offset = offset
  }

  /// True, whatever the numbers.
  package var scalesPixels: Bool { true }

  /// True for small factors, which suit pixels up to 255; false for factors above 1.
  package var expectsLargePixels: Bool? {
    let largest = scale.map(\.magnitude).max() ?? 1
    if largest <= 0.05 { return true }
    return largest > 1 ? false : nil
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case scale
    case offset
  }

  /// Decodes the attributes; the default offset is 0.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      scale: try attributes.decode([Double].self, forKey: .scale),
      offset: try attributes.value(.offset, default: [0]))
  }

  /// Values keep their indices.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .elementwise }

  /// Numbers per channel are attributes, which have a fixed order.
  public var orderDependence: OrderDependence {
    scale.count > 1 || offset.count > 1 ? .full : .none
  }

  /// Values are scaled and shifted.
  public var valueEffect: ValueEffect { .computed }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape of the input.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    for (name, numbers) in [("scale", scale), ("offset", offset)] where numbers.count != 1 {
      let channels = try inputs[0].lastAxis()
      guard numbers.count == channels else {
        throw .wrongCount(name, numbers.count, channels: channels)
      }
    }
    return inputs[0]
  }

  /// y = scale · x + offset.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    var y = inputs[0]
    _ = try outputShape(for: [Shape(y.shape)])
    let channels = y.shape.last ?? 1
    for index in y.values.indices {
      let c = index % channels
      y.values[index] =
        scale[scale.count == 1 ? 0 : c] * y.values[index] + offset[offset.count == 1 ? 0 : c]
    }
    return y
  }
}

extension NetconvError {
  fileprivate static func wrongCount(_ name: String, _ count: Int, channels: Int) -> NetconvError {
    NetconvError(
      .badData,
      "\(name) has \(count) numbers, expected one, or one for each of \(channels) channels")
  }
}
