import ModelIR

/// A pooling into a given number of windows that cover the input.
///
/// With n windows over length l, window i extends from ⌊i·l/n⌋ to ⌈(i+1)·l/n⌉, so windows may differ in size by one,
/// and overlap.
public protocol AdaptivePoolingOperator<Space>: Operator {
  /// The axes to pool along.
  associatedtype Space: SpatialAxes

  /// The number of windows along each axis.
  var outputSize: SpatialSize<Space> { get }

  /// Creates a pooling with the given number of windows.
  init(outputSize: SpatialSize<Space>)

  /// Reduces the values of a window, at least one, to one value.
  func reduced(_ values: [Double]) -> Double
}

/// The coding keys of an adaptive pooling.
enum AdaptivePoolingKeys: String, CodingKey, CaseIterable {
  case outputSize
}

extension AdaptivePoolingOperator {
  /// Decodes the attribute, which has no default.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(AdaptivePoolingKeys.self)
    self.init(
      outputSize: try attributes.decode(SpatialSize<Space>.self, forKey: .outputSize))
  }

  /// Encodes the attribute.
  public func encode(to encoder: any Encoder) throws {
    var attributes = encoder.container(keyedBy: AdaptivePoolingKeys.self)
    try attributes.encode(outputSize, forKey: .outputSize)
  }

  /// Each window is reduced to one value.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result depends on which values are adjacent.
  public var orderDependence: OrderDependence { .full }

  /// Each window is reduced to one value.
  public var valueEffect: ValueEffect { .computed }

  /// The number of values in the largest window.
  public func fanIn(of inputs: [[Int]]) -> Int {
    zip(outputSize.sizes, inputs[0]).reduce(1) { product, axis in
      product * (adaptiveWindows(axis.0, over: axis.1).map(\.count).max() ?? 1)
    }
  }

  /// Returns the shape: the channels stay the same.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Space.self)
    try checkSizes("outputSize", outputSize)
    return Shape(outputSize.sizes.map { $0 } + [input.channels])
  }

  /// y[p, c] = the reduction of x in the window at position p.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let channels = x.shape[x.rank - 1]
    var y = try NDArray<Double>(shape: outputSize.sizes + [channels])
    var windows: [[Int]] = [[0]]
    for (axis, count) in outputSize.sizes.enumerated() {
      let length = x.shape[axis]
      windows = windows.flatMap { places in
        adaptiveWindows(count, over: length).map { window in
          places.flatMap { place in window.map { place * length + $0 } }
        }
      }
    }
    for (place, window) in windows.enumerated() {
      for c in 0..<channels {
        y.values[place * channels + c] = reduced(window.map { x.values[$0 * channels + c] })
      }
    }
    return y
  }
}

/// Returns the index ranges of `count` windows over an axis of size `length`.
package func adaptiveWindows(_ count: Int, over length: Int) -> [Range<Int>] {
  (0..<count).map { $0 * length / count..<(($0 + 1) * length + count - 1) / count }
}
