import ModelIR

/// A height and a width; in documents `[height, width]`.
public struct Size2D: Sendable, Hashable, CustomStringConvertible {
  /// Rows.
  public let height: Int
  /// Columns.
  public let width: Int

  /// `height` rows of `width` columns.
  public init(_ height: Int, _ width: Int) {
    self.height = height
    self.width = width
  }

  /// 1 x 1.
  public static let one = Size2D(1, 1)

  /// `5x3`.
  public var description: String { "\(height)x\(width)" }
}

extension Size2D: Codable {
  /// Reads `[height, width]`.
  public init(from decoder: any Decoder) throws {
    let sizes = try decoder.singleValueContainer().decode([Int].self)
    guard sizes.count == 2 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "found \(sizes.count) numbers, expected [height, width]"))
    }
    self.init(sizes[0], sizes[1])
  }

  /// Writes `[height, width]`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode([height, width])
  }
}

/// The largest value that an attribute may have; keeps every product of a few of them within `Int`.
let attributeLimit = 1 << 20

/// Checks that attributes of an operator are sizes.
///
/// - Throws: `badData` naming the first that is under 1 or absurdly large.
func checkSizes(_ attributes: (name: String, value: Int)...) throws(NetconvError) {
  for (name, value) in attributes where !(1...attributeLimit).contains(value) {
    throw .attributeOutOfRange(name, value, 1...attributeLimit)
  }
}
