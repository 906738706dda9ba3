import ModelIR

/// An image without some rows and columns at its edges.
public struct Cropping2D: Operator {
  /// The name in documents.
  public static let name = "Cropping2D"

  /// `[[top, bottom], [left, right]]`.
  public let cropping: [[Int]]

  /// What is cut off on all four sides.
  public init(top: Int, bottom: Int, left: Int, right: Int) {
    cropping = [[top, bottom], [left, right]]
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case cropping
  }

  /// Reads the attribute.
  public init(from decoder: any Decoder) throws {
    cropping = try decoder.attributes(CodingKeys.self).decode([[Int]].self, forKey: .cropping)
    guard cropping.count == 2, cropping.allSatisfy({ $0.count == 2 }) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "cropping is \(cropping), expected [[top, bottom], [left, right]]"))
    }
  }

  /// Rows cut off above.
  public var top: Int { cropping[0][0] }
  /// Columns cut off on the left.
  public var left: Int { cropping[1][0] }

  /// What is left depends on places.
  public var orderDependence: OrderDependence { .full }

  /// Some are left out.
  public var valueEffect: ValueEffect { .moved }

  /// One.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Height and width shrink by the cropping, to nothing at worst.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].image()
    for pixels in cropping.joined() where !(0...attributeLimit).contains(pixels) {
      throw .attributeOutOfRange("cropping", pixels, 0...attributeLimit)
    }
    return Shape([
      input.height.map { max(0, $0 - cropping[0][0] - cropping[0][1]) },
      input.width.map { max(0, $0 - cropping[1][0] - cropping[1][1]) }, input.channels,
    ])
  }

  /// y[h, w, c] = x[h + top, w + left, c].
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let shape = try outputShape(for: [Shape(inputs[0].shape)])
    guard let size = shape.known else { throw .unknownSize(shape) }
    var y = try NDArray<Double>(shape: size)
    for h in 0..<size[0] {
      for w in 0..<size[1] {
        for c in 0..<size[2] { y[h, w, c] = inputs[0][h + top, w + left, c] }
      }
    }
    return y
  }
}
