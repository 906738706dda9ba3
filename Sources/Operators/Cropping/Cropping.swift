import ModelIR

/// A crop that removes rows and columns at the edges of an image, or steps at the ends of a sequence.
public struct SpatialCropping<Space: SpatialAxes>: Operator {
  /// The operator's name in documents, such as `Cropping2D`.
  public static var name: String { Space.name("Cropping") }

  /// The sizes before and after each axis: `[[top, bottom], [left, right]]`.
  public let cropping: [[Int]]

  /// Creates a crop of both ends of each axis.
  ///
  /// - Precondition: there is a pair for each axis.
  package init(sides: [[Int]]) {
    precondition(sides.count == Space.count && sides.allSatisfy { $0.count == 2 }, "\(sides)")
    cropping = sides
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case cropping
  }

  /// Decodes the attribute.
  public init(from decoder: any Decoder) throws {
    cropping = try Space.sides(
      decoder.attributes(CodingKeys.self).decode([[Int]].self, forKey: .cropping), "cropping",
      at: decoder.codingPath)
  }

  /// Values at the edges are removed.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result depends on the indices of values.
  public var orderDependence: OrderDependence { .full }

  /// Some values are dropped.
  public var valueEffect: ValueEffect { .moved }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape: each spatial axis is reduced by its cropping, to zero at the least.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Space.self)
    for pixels in cropping.joined() where !(0...attributeLimit).contains(pixels) {
      throw .attributeOutOfRange("cropping", pixels, 0...attributeLimit)
    }
    let lengths = zip(input.lengths, cropping).map { length, sides in
      length.map { max(0, $0 - sides[0] - sides[1]) }
    }
    return Shape(lengths + [input.channels])
  }

  /// y[p, c] = x[p + before, c] for positions p.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let shape = try outputShape(for: [Shape(inputs[0].shape)])
    guard let size = shape.known else { throw .unknownSize(shape) }
    var y = try NDArray<Double>(shape: size)
    let border = SpatialBorder(
      outer: inputs[0].shape, inner: size, before: cropping.map { $0[0] })
    border.forEachRun { outer, inner in
      for c in 0..<border.run { y.values[inner + c] = inputs[0].values[outer + c] }
    }
    return y
  }
}

/// Cropping of sequences: (length, channels).
public typealias Cropping1D = SpatialCropping<Line>

/// Cropping of images: (height, width, channels).
public typealias Cropping2D = SpatialCropping<Plane>

/// Cropping of volumes: (depth, height, width, channels).
public typealias Cropping3D = SpatialCropping<Volume>

extension SpatialCropping where Space == Line {
  /// Creates a crop of both ends.
  public init(before: Int, after: Int) { self.init(sides: [[before, after]]) }
}

extension SpatialCropping where Space == Plane {
  /// The number of rows removed at the top.
  public var top: Int { cropping[0][0] }

  /// The number of columns removed on the left.
  public var left: Int { cropping[1][0] }

  /// Creates a crop of all four sides.
  public init(top: Int, bottom: Int, left: Int, right: Int) {
    self.init(sides: [[top, bottom], [left, right]])
  }
}

extension SpatialCropping: LineOperator where Space == Line {
  /// The equivalent for images with one row.
  package var planar: Cropping2D { Cropping2D(sides: [[0, 0]] + cropping) }
}
