import ModelIR

/// A tensor of one of two sets of weights, with its values and the shape of its stored array.
public struct RelatedTensor: Sendable {
  /// The name in the source.
  public let name: String
  /// The size of each axis of the stored array, slowest first.
  public let shape: [Int]
  /// The axes and the groups that a flatten has merged; `nil` if unknown.
  public let layout: Layout?
  /// The size of each axis of the layout.
  public let sizes: [Axis: Int]
  /// The values in stored order.
  public let source: any TensorSource
  /// The dtype to which values were last rounded; narrower than the stored one if the values show
  /// it.
  private(set) var valueType: ElementType
  /// The numbers next to those of its codes; `nil` if it is not quantised, or they are unknown.
  let grid: QuantizedGrid?
  /// Quantisations that give tensors of its form.
  let requantizers: [Requantizer]

  /// A quantisation: it returns the numbers that the codes of values stand for.
  public typealias Requantizer = @Sendable (any TensorSource) -> any TensorSource

  /// Creates a tensor of unknown layout.
  ///
  /// - Precondition: The source has as many values as the shape.
  public init(name: String, shape: [Int], source: any TensorSource) {
    precondition(shape.reduce(1, *) == source.count, "\(shape) for \(source.count) values")
    self.name = name
    self.shape = shape
    self.source = source
    valueType = source.elementType
    layout = nil
    sizes = [:]
    (grid, requantizers) = (nil, [])
  }

  /// Creates a tensor from a network's tensor as it is stored.
  ///
  /// - Parameter requantizers: Quantisations of the form in which it is stored.
  public init(_ tensor: Tensor, requantizers: [Requantizer] = []) {
    name = tensor.stored.path
    shape = tensor.storedShape
    source = tensor.stored.source
    valueType = tensor.stored.source.elementType
    layout = tensor.spec.kind == .unknown ? nil : tensor.storedLayout
    sizes = tensor.spec.sizes
    grid = QuantizedGrid(tensor.stored)
    self.requantizers = requantizers
  }

  /// The same tensor with values of `type`.
  func narrowed(to type: ElementType?) -> RelatedTensor {
    var tensor = self
    if let type { tensor.valueType = type }
    return tensor
  }

  /// The number of values.
  public var count: Int { source.count }

  /// True if the originals of a quantised tensor are searched.
  package var isJudgedThroughQuantization: Bool { QuantizedSearch.rowLength(of: self) != nil }

  /// The axes of the array, slowest first, each as the known axes merged in it; axes of size 1 are
  /// empty.
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
