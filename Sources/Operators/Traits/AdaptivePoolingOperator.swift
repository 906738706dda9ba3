import ModelIR

/// A pooling whose windows are as large as it takes to cover the input with a number of them.
///
/// Of n windows over l places, number i goes from ⌊i·l/n⌋ to ⌈(i+1)·l/n⌉, so that they may differ by one, and overlap.
public protocol AdaptivePoolingOperator<Space>: Operator {
  /// The axes along which it pools.
  associatedtype Space: SpatialAxes

  /// The number of windows along each axis.
  var outputSize: SpatialSize<Space> { get }

  /// A pooling into `outputSize`.
  init(outputSize: SpatialSize<Space>)

  /// One value from those of a window, of which there is at least one.
  func reduced(_ values: [Double]) -> Double
}

/// The attributes of every adaptive pooling.
enum AdaptivePoolingKeys: String, CodingKey, CaseIterable {
  case outputSize
}

extension AdaptivePoolingOperator {
  /// Reads the attribute, which has no default.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(AdaptivePoolingKeys.self)
    self.init(
      outputSize: try attributes.decode(SpatialSize<Space>.self, forKey: .outputSize))
  }

  /// Writes the attribute.
  public func encode(to encoder: any Encoder) throws {
    var attributes = encoder.container(keyedBy: AdaptivePoolingKeys.self)
    try attributes.encode(outputSize, forKey: .outputSize)
  }

  /// Windows become values.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Windows have neighbours.
  public var orderDependence: OrderDependence { .full }

  /// One value of each window.
  public var valueEffect: ValueEffect { .computed }

  /// The values of the largest window.
  public func fanIn(of inputs: [[Int]]) -> Int {
    zip(outputSize.sizes, inputs[0]).reduce(1) { product, axis in
      product * (adaptiveWindows(axis.0, over: axis.1).map(\.count).max() ?? 1)
    }
  }

  /// (…, channels) to (…, channels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Space.self)
    try checkSizes("outputSize", outputSize)
    return Shape(outputSize.sizes.map { $0 } + [input.channels])
  }

  /// y[p, c] = one value from those of x under the window at place p.
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

/// The places under each of `count` windows over `length` places.
package func adaptiveWindows(_ count: Int, over length: Int) -> [Range<Int>] {
  (0..<count).map { $0 * length / count..<(($0 + 1) * length + count - 1) / count }
}
