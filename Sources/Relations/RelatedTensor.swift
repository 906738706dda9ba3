import ModelIR

/// A tensor of one of two sets of weights: its values where they lie, and the shape of the array that they are.
public struct RelatedTensor: Sendable {
  /// What the source calls it.
  public let name: String
  /// The size of each axis of the stored array, slowest first.
  public let shape: [Int]
  /// What the axes are, and which a flatten has merged; `nil` where nobody says.
  public let layout: Layout?
  /// The size of each axis of the layout.
  public let sizes: [Axis: Int]
  /// The values, in stored order.
  public let source: any TensorSource
  /// The type that values were last rounded to: of fewer bits than the stored one, where they tell that.
  private(set) var valueType: ElementType

  /// A tensor of which only the shape is known.
  ///
  /// - Precondition: the source has as many values as the shape.
  public init(name: String, shape: [Int], source: any TensorSource) {
    precondition(shape.reduce(1, *) == source.count, "\(shape) for \(source.count) values")
    self.name = name
    self.shape = shape
    self.source = source
    valueType = source.elementType
    layout = nil
    sizes = [:]
  }

  /// A tensor of a network, as it is stored.
  public init(_ tensor: Tensor) {
    name = tensor.stored.path
    shape = tensor.storedShape
    source = tensor.stored.source
    valueType = tensor.stored.source.elementType
    layout = tensor.spec.kind == .unknown ? nil : tensor.storedLayout
    sizes = tensor.spec.sizes
  }

  /// The same, as values of `type`.
  func narrowed(to type: ElementType?) -> RelatedTensor {
    var tensor = self
    if let type { tensor.valueType = type }
    return tensor
  }

  /// The number of values.
  public var count: Int { source.count }

  /// The axes of the array, each the known axes that are merged in it, slowest first; axes of one place have none.
  var axes: [[SizedAxis]] {
    guard let layout else {
      return shape.enumerated().map { place, size in
        size == 1 ? [] : [SizedAxis(Axis.places[place], size: size)]
      }
    }
    return layout.dimensions.map { dimension in
      dimension.axes.compactMap { axis in
        let size = sizes[axis] ?? 1
        return size == 1 ? nil : SizedAxis(axis, size: size)
      }
    }
  }
}
