/// A place in a drawing: x to the right, y down.
public struct Point: Sendable, Hashable {
  /// How far it is from the left edge.
  public var x: Double
  /// How far it is from the upper edge.
  public var y: Double

  /// A place.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// How wide and how high something is.
public struct Size: Sendable, Hashable {
  /// From left to right.
  public var width: Double
  /// From top to bottom.
  public var height: Double

  /// A size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

/// A rectangle with upright sides.
public struct Frame: Sendable, Hashable {
  /// The upper left corner.
  public var origin: Point
  /// Its size.
  public var size: Size

  /// A rectangle.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// The left side's x.
  public var left: Double { origin.x }
  /// The right side's x.
  public var right: Double { origin.x + size.width }
  /// The upper side's y.
  public var top: Double { origin.y }
  /// The lower side's y.
  public var bottom: Double { origin.y + size.height }
}
