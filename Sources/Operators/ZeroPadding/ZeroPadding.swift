import ModelIR

/// Zero padding around an image, or before and after a sequence.
public struct SpatialZeroPadding<Space: SpatialAxes>: ZeroPaddingOperator {
  /// The operator's name in documents, such as `ZeroPadding2D`.
  public static var name: String { Space.name("ZeroPadding") }

  /// The sizes before and after each axis: `[[top, bottom], [left, right]]`.
  public var padding: [[Int]]

  /// Creates padding at both ends of each axis.
  ///
  /// - Precondition: there is a pair for each axis.
  package init(sides: [[Int]]) {
    precondition(sides.count == Space.count && sides.allSatisfy { $0.count == 2 }, "\(sides)")
    padding = sides
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case padding
  }

  /// Decodes the attribute.
  public init(from decoder: any Decoder) throws {
    padding = try Space.sides(
      decoder.attributes(CodingKeys.self).decode([[Int]].self, forKey: .padding), "padding",
      at: decoder.codingPath)
  }

  /// Zeros are inserted.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The result depends on the indices of values.
  public var orderDependence: OrderDependence { .full }

  /// Zeros are added around the values.
  public var valueEffect: ValueEffect { .moved }

  /// One input value per output value.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Returns the shape: each spatial axis grows by its padding.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Space.self)
    for pixels in padding.joined() where !(0...attributeLimit).contains(pixels) {
      throw .attributeOutOfRange("padding", pixels, 0...attributeLimit)
    }
    let lengths = zip(input.lengths, padding).map { length, sides in
      length.map { $0 + sides[0] + sides[1] }
    }
    return Shape(lengths + [input.channels])
  }

  /// y[p + before, c] = x[p, c] for positions p; zero elsewhere.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known else { throw .unknownSize(shape) }
    var y = try NDArray<Double>(shape: size)
    let border = SpatialBorder(outer: size, inner: x.shape, before: padding.map { $0[0] })
    border.forEachRun { outer, inner in
      for c in 0..<border.run { y.values[outer + c] = x.values[inner + c] }
    }
    return y
  }
}

/// Zero padding of sequences: (length, channels).
public typealias ZeroPadding1D = SpatialZeroPadding<Line>

/// Zero padding of images: (height, width, channels).
public typealias ZeroPadding2D = SpatialZeroPadding<Plane>

/// Zero padding of volumes: (depth, height, width, channels).
public typealias ZeroPadding3D = SpatialZeroPadding<Volume>

extension SpatialZeroPadding where Space == Line {
  /// Creates padding at both ends.
  public init(before: Int, after: Int) { self.init(sides: [[before, after]]) }
}

extension SpatialZeroPadding where Space == Plane {
  /// Creates padding on all four sides.
  public init(top: Int, bottom: Int, left: Int, right: Int) {
    self.init(sides: [[top, bottom], [left, right]])
  }
}

extension SpatialZeroPadding: LineOperator where Space == Line {
  /// The equivalent for images with one row.
  package var planar: ZeroPadding2D { ZeroPadding2D(sides: [[0, 0]] + padding) }
}
