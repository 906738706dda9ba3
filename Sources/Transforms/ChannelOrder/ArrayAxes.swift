import ModelIR

/// An array of a model whose source uses channels first, and its shapes in both axis orders.
public struct ArrayAxes: Sendable, Equatable {
  /// The axis order of the array in the model.
  public let order: PixelStep.AxisOrder
  /// The shape in the model, without the batch.
  public let shape: Shape
  /// For a vector, the channels-last shape of the flattened image.
  private let image: [Int]?

  /// Creates an image, or a sequence, with the given order in the model.
  init(_ shape: Shape, _ order: PixelStep.AxisOrder) {
    self.shape = shape
    self.order = order
    image = nil
  }

  /// Creates a vector that results from flattening a channels-last image.
  init(flattened image: [Int]) {
    shape = Shape([image.reduce(1, *)])
    order = .channelsLast
    self.image = image
  }

  /// Returns the shape of a sample in the given order.
  public func shape(_ order: PixelStep.AxisOrder) -> Shape {
    image == nil && order != self.order
      ? Shape(Self.reordered(shape.dimensions, to: order)) : shape
  }

  /// Returns the order of a sample with the given shape; the source's if both fit, `nil` if neither does.
  public func order(of sample: [Int]) -> PixelStep.AxisOrder? {
    [.channelsFirst, .channelsLast].first { Shape(sample).isCompatible(with: shape($0)) }
  }

  /// Returns true if a sample of the given shape fits both orders, and they differ.
  public func isAmbiguous(_ sample: [Int]) -> Bool {
    Shape(sample).isCompatible(with: shape(.channelsFirst))
      && Shape(sample).isCompatible(with: shape(.channelsLast))
      && sample.contains { $0 != 1 }
  }

  /// Returns an array of samples converted to another order.
  ///
  /// - Precondition: it has the rank of this array, plus the batch as the first axis.
  public func moved(
    _ array: NDArray<Float>, from: PixelStep.AxisOrder, to order: PixelStep.AxisOrder
  ) -> NDArray<Float> {
    guard from != order else { return array }
    let sizes = image.map { from == .channelsLast ? $0 : Self.reordered($0, to: from) }
    let samples = sizes.map { array.reshaped(array.shape.prefix(1) + $0) } ?? array
    let axes = Self.reordered(Array(1..<samples.rank), to: order)
    let moved = samples.permuted([0] + axes)
    return image == nil ? moved : moved.reshaped(array.shape)
  }

  /// Permutes a list of axes, or of their properties, from the other order to `order`.
  public static func reordered<Element>(
    _ axes: [Element], to order: PixelStep.AxisOrder
  ) -> [Element] {
    switch order {
    case .channelsFirst: Array(axes.suffix(1)) + axes.dropLast()
    case .channelsLast: Array(axes.dropFirst()) + axes.prefix(1)
    }
  }
}
