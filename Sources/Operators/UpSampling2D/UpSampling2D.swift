import ModelIR

/// An image enlarged by whole numbers.
public struct UpSampling2D: Operator {
  /// How the new pixels come about.
  public enum Interpolation: String, Sendable, Codable {
    /// Each pixel is repeated.
    case nearest
    /// Between the centres of pixels, linear along both axes.
    case bilinear
  }

  /// The name in documents.
  public static let name = "UpSampling2D"

  /// By how much height and width grow.
  public let size: Size2D
  /// How the new pixels come about.
  public let interpolation: Interpolation

  /// An enlargement by `size`.
  public init(size: Size2D, interpolation: Interpolation = .nearest) {
    self.size = size
    self.interpolation = interpolation
  }

  /// Reads the attributes; pixels are repeated by default.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      size: try attributes.decode(Size2D.self, forKey: .size),
      interpolation: try attributes.value(.interpolation, default: .nearest))
  }

  /// Height and width times the size.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].image()
    try checkSizes(("size", size.height), ("size", size.width))
    var dimensions: [Int?] = []
    for (length, factor) in [(input.height, size.height), (input.width, size.width)] {
      if let length {
        dimensions.append(try product([length, factor]))
      } else {
        dimensions.append(nil)
      }
    }
    return Shape(dimensions + [input.channels])
  }

  /// y[h, w, c] = Σ rₕ[i] · r_w[j] · x[i, j, c], with the shares r of the one or two nearest pixels.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let output = shape.known else { throw .unknownSize(shape) }
    var y = NDArray<Double>(shape: output)
    for h in 0..<output[0] {
      let rows = sources(of: h, factor: size.height, length: x.shape[0])
      for w in 0..<output[1] {
        let columns = sources(of: w, factor: size.width, length: x.shape[1])
        for c in 0..<output[2] {
          for row in rows {
            for column in columns {
              y[h, w, c] += row.share * column.share * x[row.pixel, column.pixel, c]
            }
          }
        }
      }
    }
    return y
  }

  /// The pixels that make up pixel number `index` of the output along an axis, with their shares.
  ///
  /// Source: tf.image.resize: the centre of a pixel is half a pixel from its edge, and the image goes on
  /// with its last pixel.
  package func sources(
    of index: Int, factor: Int, length: Int
  ) -> [(pixel: Int, share: Double)] {
    guard interpolation == .bilinear else { return [(index / factor, 1)] }
    let center = (Double(index) + 0.5) / Double(factor) - 0.5
    let lower = center.rounded(.down)
    let share = center - lower
    return [
      (max(0, Int(lower)), 1 - share), (min(length - 1, Int(lower) + 1), share),
    ]
  }
}
