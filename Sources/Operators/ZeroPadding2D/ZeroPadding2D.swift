import ModelIR

/// Rows and columns of zeros around an image.
public struct ZeroPadding2D: ZeroPaddingOperator {
  /// The name in documents.
  public static let name = "ZeroPadding2D"

  /// `[[top, bottom], [left, right]]`.
  public var padding: [[Int]]

  /// Zeros on all four sides.
  public init(top: Int, bottom: Int, left: Int, right: Int) {
    padding = [[top, bottom], [left, right]]
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case padding
  }

  /// Reads the attribute.
  public init(from decoder: any Decoder) throws {
    padding = try decoder.attributes(CodingKeys.self).decode([[Int]].self, forKey: .padding)
    guard padding.count == 2, padding.allSatisfy({ $0.count == 2 }) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "padding is \(padding), expected [[top, bottom], [left, right]]"))
    }
  }

  /// Zeros go to the edges.
  public var orderDependence: OrderDependence { .full }

  /// Zeros are added around them.
  public var valueEffect: ValueEffect { .moved }

  /// One.
  public func fanIn(of inputs: [[Int]]) -> Int { 1 }

  /// Height and width grow by the padding.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].image()
    for pixels in padding.joined() where !(0...attributeLimit).contains(pixels) {
      throw .attributeOutOfRange("padding", pixels, 0...attributeLimit)
    }
    return Shape([
      input.height.map { $0 + padding[0][0] + padding[0][1] },
      input.width.map { $0 + padding[1][0] + padding[1][1] }, input.channels,
    ])
  }

  /// y[h + top, w + left, c] = x[h, w, c]; zero elsewhere.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known else { throw .unknownSize(shape) }
    var y = try NDArray<Double>(shape: size)
    for h in 0..<x.shape[0] {
      for w in 0..<x.shape[1] {
        for c in 0..<x.shape[2] { y[h + top, w + left, c] = x[h, w, c] }
      }
    }
    return y
  }
}
