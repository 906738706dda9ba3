/// A point in a drawing: x increases to the right, y downwards.
public struct Point: Sendable, Hashable {
  /// The distance from the left edge.
  public var x: Double
  /// The distance from the upper edge.
  public var y: Double

  /// Creates a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A width and a height.
public struct Size: Sendable, Hashable {
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Creates a size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

/// An axis-aligned rectangle.
public struct Frame: Sendable, Hashable {
  /// The upper left corner.
  public var origin: Point
  /// The size.
  public var size: Size

  /// Creates a rectangle.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// The x coordinate of the left side.
  public var left: Double { origin.x }
  /// The x coordinate of the right side.
  public var right: Double { origin.x + size.width }
  /// The y coordinate of the upper side.
  public var top: Double { origin.y }
  /// The y coordinate of the lower side.
  public var bottom: Double { origin.y + size.height }
}
