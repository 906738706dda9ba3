import ModelIR

/// The mean of each window, per channel.
///
/// Padding is left out of the mean, as in TensorFlow.
public struct AveragePooling2D: WindowedOperator {
  /// The name in documents.
  public static let name = "AveragePooling2D"

  /// Rows and columns of the window.
  public private(set) var poolSize: Size2D
  /// The distance of two windows; by default windows do not overlap.
  public private(set) var strides: Size2D
  /// What happens at the edges.
  public private(set) var padding: Padding

  /// A pooling over `poolSize`.
  public init(poolSize: Size2D, strides: Size2D? = nil, padding: Padding = .valid) {
    self.poolSize = poolSize
    self.strides = strides ?? poolSize
    self.padding = padding
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case poolSize
    case strides
    case padding
  }

  /// Reads the attributes; only the size has no default.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      poolSize: try attributes.decode(Size2D.self, forKey: .poolSize),
      strides: try attributes.decodeIfPresent(Size2D.self, forKey: .strides),
      padding: try attributes.value(.padding, default: .valid))
  }

  /// The sliding window; it has no dilation.
  public var window: Window2D {
    get { Window2D(size: poolSize, strides: strides, padding: padding) }
    set { (poolSize, strides, padding) = (newValue.size, newValue.strides, newValue.padding) }
  }

  /// Nothing: a mean is of the values inside.
  package var surroundings: Surroundings { .nothing }

  /// Windows have neighbours.
  public var orderDependence: OrderDependence { .full }

  /// Means of windows.
  public var valueEffect: ValueEffect { .computed }

  /// The values of a window.
  public func fanIn(of inputs: [[Int]]) -> Int { window.size.height * window.size.width }

  /// (height, width, channels) to (height', width', channels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].image()
    try window.check(sizeName: "poolSize")
    let size = window.outputSize(height: input.height, width: input.width)
    return Shape([size.height, size.width, input.channels])
  }

  /// y[h, w, c] = the mean of all x under window (h, w) that lie in the image.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    try window.pooled(inputs[0]) { values in
      values.reduce(0, +) / Double(values.count)
    }
  }
}
