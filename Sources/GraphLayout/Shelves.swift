/// Rectangles in rows, in order, with about the proportions of a page.
struct Shelves {
  /// The upper left corner of each rectangle.
  private(set) var origins: [Point] = []
  /// The total size.
  private(set) var size = Size(width: 0, height: 0)

  /// The number of rectangles that stay in one row whatever its width.
  private static let fewRectangles = 4

  init(_ rectangles: [Size], gap: Double) {
    let area = rectangles.reduce(0) { $0 + ($1.width + gap) * ($1.height + gap) }
    let widest = rectangles.reduce(0) { max($0, $1.width) }
    let limit =
      rectangles.count <= Self.fewRectangles ? .infinity : max(widest, 1.2 * area.squareRoot())
    var corner = Point(x: 0, y: 0)
    var rowHeight = 0.0
    for rectangle in rectangles {
      if corner.x > 0, corner.x + rectangle.width > limit {
        corner = Point(x: 0, y: corner.y + rowHeight + gap)
        rowHeight = 0
      }
      origins.append(corner)
      size.width = max(size.width, corner.x + rectangle.width)
      rowHeight = max(rowHeight, rectangle.height)
      size.height = max(size.height, corner.y + rowHeight)
      corner.x += rectangle.width + gap
    }
  }
}
