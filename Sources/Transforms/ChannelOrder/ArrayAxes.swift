import ModelIR

/// An array of a model that its source has with channels first, and what it is with the channels at the other end.
public struct ArrayAxes: Sendable, Equatable {
  /// The order that the model has the array in.
  public let order: PixelStep.AxisOrder
  /// The shape that the model has it in, without the batch.
  public let shape: Shape
  /// Of a vector, the shape with channels last of the image that it is.
  private let image: [Int]?

  /// An image, or a sequence, that the model has in some order.
  init(_ shape: Shape, _ order: PixelStep.AxisOrder) {
    self.shape = shape
    self.order = order
    image = nil
  }

  /// A vector that a flatten has made of an image with channels last.
  init(flattened image: [Int]) {
    shape = Shape([image.reduce(1, *)])
    order = .channelsLast
    self.image = image
  }

  /// The shape of one sample in some order.
  public func shape(_ order: PixelStep.AxisOrder) -> Shape {
    image == nil && order != self.order
      ? Shape(Self.turned(shape.dimensions, to: order)) : shape
  }

  /// The order that a sample of some shape has: the source's where it may have either, `nil` if it has neither.
  public func order(of sample: [Int]) -> PixelStep.AxisOrder? {
    [.channelsFirst, .channelsLast].first { Shape(sample).isCompatible(with: shape($0)) }
  }

  /// Whether a sample of some shape may have either order, which makes a difference.
  public func isAmbiguous(_ sample: [Int]) -> Bool {
    Shape(sample).isCompatible(with: shape(.channelsFirst))
      && Shape(sample).isCompatible(with: shape(.channelsLast))
      && sample.contains { $0 != 1 }
  }

  /// An array of samples in another order.
  ///
  /// - Precondition: it has the rank of this one, and the batch in front.
  public func moved(
    _ array: NDArray<Float>, from: PixelStep.AxisOrder, to order: PixelStep.AxisOrder
  ) -> NDArray<Float> {
    guard from != order else { return array }
    let sizes = image.map { from == .channelsLast ? $0 : Self.turned($0, to: from) }
    let samples = sizes.map { array.reshaped(array.shape.prefix(1) + $0) } ?? array
    let axes = Self.turned(Array(1..<samples.rank), to: order)
    let moved = samples.permuted([0] + axes)
    return image == nil ? moved : moved.reshaped(array.shape)
  }

  /// What belongs to each axis, of axes that have the other order.
  public static func turned<Element>(
    _ axes: [Element], to order: PixelStep.AxisOrder
  ) -> [Element] {
    switch order {
    case .channelsFirst: Array(axes.suffix(1)) + axes.dropLast()
    case .channelsLast: Array(axes.dropFirst()) + axes.prefix(1)
    }
  }
}
