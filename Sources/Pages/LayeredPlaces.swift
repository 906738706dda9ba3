/// Where boxes of a graph are drawn: each below those that it reads.
struct LayeredPlaces {
  /// The left upper corners of the boxes.
  private(set) var corners: [(x: Double, y: Double)]
  /// The corners of each line, x and y in turn.
  private(set) var lines: [[Double]] = []
  /// The size of the drawing.
  private(set) var width = 0.0
  private(set) var height = 0.0

  private static let (gapX, gapY) = (24.0, 40.0)

  init(sizes: [(width: Double, height: Double)], edges: [[Int]]) {
    var ranks = sizes.map { _ in 0 }
    for _ in sizes {
      var changed = false
      for edge in edges where ranks[edge[1]] <= ranks[edge[0]] && ranks[edge[0]] < sizes.count {
        ranks[edge[1]] = ranks[edge[0]] + 1
        changed = true
      }
      if !changed { break }
    }
    corners = sizes.map { _ in (0, 0) }
    var y = 8.0
    let rows = Dictionary(grouping: sizes.indices) { ranks[$0] }.sorted { $0.key < $1.key }
    for (_, row) in rows {
      var x = 8.0
      for index in row {
        corners[index] = (x, y)
        x += sizes[index].width + Self.gapX
      }
      width = max(width, x)
      y += (row.map { sizes[$0].height }.max() ?? 0) + Self.gapY
    }
    height = y
    for (_, row) in rows {
      let used = (row.map { corners[$0].x + sizes[$0].width }.max() ?? 0) + 8
      for index in row { corners[index].x += (width - used) / 2 }
    }
    lines = edges.map { edge in
      let (a, b) = (edge[0], edge[1])
      return [
        corners[a].x + sizes[a].width / 2, corners[a].y + sizes[a].height,
        corners[b].x + sizes[b].width / 2, corners[b].y,
      ]
    }
  }
}
