import ModelIR

/// A size along each of the spatial axes; in documents a list, `[height, width]`.
public struct SpatialSize<Space: SpatialAxes>: Sendable, Hashable, CustomStringConvertible {
  /// The sizes in the order of the axes.
  public let sizes: [Int]

  /// Creates a size from one number per axis.
  ///
  /// - Precondition: there are as many numbers as axes.
  public init(sizes: [Int]) {
    precondition(sizes.count == Space.axes.count, "\(sizes.count) sizes")
    self.sizes = sizes
  }

  /// Size 1 along every axis.
  public static var one: SpatialSize {
    SpatialSize(sizes: [Int](repeating: 1, count: Space.axes.count))
  }

  /// The number of positions.
  package var count: Int { sizes.reduce(1, *) }

  /// `5x3`.
  public var description: String { sizes.map { "\($0)" }.joined(separator: "x") }
}

/// A length; in documents `[length]`.
public typealias Size1D = SpatialSize<Line>

/// A height and a width; in documents `[height, width]`.
public typealias Size2D = SpatialSize<Plane>

/// A depth, a height and a width; in documents `[depth, height, width]`.
public typealias Size3D = SpatialSize<Volume>

extension SpatialSize where Space == Line {
  /// Creates a size of `length` steps.
  public init(_ length: Int) { self.init(sizes: [length]) }

  /// The number of steps.
  public var length: Int { sizes[0] }
}

extension SpatialSize where Space == Plane {
  /// Creates a size of `height` rows and `width` columns.
  public init(_ height: Int, _ width: Int) { self.init(sizes: [height, width]) }

  /// The number of rows.
  public var height: Int { sizes[0] }

  /// The number of columns.
  public var width: Int { sizes[1] }
}

extension SpatialSize where Space == Volume {
  /// Creates a size of `depth` slices of `height` rows and `width` columns.
  public init(_ depth: Int, _ height: Int, _ width: Int) {
    self.init(sizes: [depth, height, width])
  }

  /// The size of a slice.
  package var slice: Size2D { Size2D(sizes[1], sizes[2]) }
}

extension SpatialSize: Codable {
  /// Decodes `[height, width]`.
  public init(from decoder: any Decoder) throws {
    let sizes = try decoder.singleValueContainer().decode([Int].self)
    guard sizes.count == Space.count else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "found \(sizes.count) numbers, expected \(Space.sizesText)"))
    }
    self.init(sizes: sizes)
  }

  /// Encodes `[height, width]`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(sizes)
  }
}

/// The largest value of an attribute; products of a few of them do not overflow `Int`.
let attributeLimit = 1 << 20

/// Checks that attributes are valid sizes.
///
/// - Throws: `badData` naming the first that is below 1 or too large.
func checkSizes(_ attributes: (name: String, value: Int)...) throws(NetconvError) {
  for (name, value) in attributes { try checkSize(name, value) }
}

/// Checks that an attribute is a valid size along each axis.
///
/// - Throws: `badData` naming the first that is below 1 or too large.
func checkSizes<Space>(_ name: String, _ size: SpatialSize<Space>) throws(NetconvError) {
  for value in size.sizes { try checkSize(name, value) }
}

private func checkSize(_ name: String, _ value: Int) throws(NetconvError) {
  guard (1...attributeLimit).contains(value) else {
    throw .attributeOutOfRange(name, value, 1...attributeLimit)
  }
}
