/// The horizontal centre of each vertex: long edges are vertical, nodes are near the middle of
/// their neighbours, and nothing overlaps.
///
/// Method: Brandes and Köpf (2001), "Fast and simple horizontal coordinate assignment": four
/// drawings, each aligned to one corner, and the mean of the two middle values. Columns are placed
/// by longest paths instead of the paper's own method, for which its authors published a correction
/// in 2020.
struct Columns {
  /// The horizontal centre of each vertex.
  private(set) var middles: [Double]

  private let order: LayerOrder
  private let isNode: [Bool]
  private let widths: [Double]
  private let spacing: LayoutSpacing

  init(_ order: LayerOrder, isNode: [Bool], widths: [Double], spacing: LayoutSpacing) {
    self.order = order
    self.isNode = isNode
    self.widths = widths
    self.spacing = spacing
    middles = [Double](repeating: 0, count: isNode.count)
    let conflicts = UprightConflicts(order, isNode: isNode)
    var drawings: [[Double]] = []
    for upwards in [false, true] {
      for leftwards in [false, true] {
        let view = CornerView(order, upwards: upwards, leftwards: leftwards)
        let blocks = VertexBlocks(view, isNode: isNode, conflicts: conflicts)
        let placed = blocks.placed(view) { distance($0, $1) }
        drawings.append(leftwards ? placed.map { -$0 } : placed)
      }
    }
    balance(drawings)
    separate()
  }

  /// The required distance between the centres of two adjacent vertices.
  private func distance(_ left: Int, _ right: Int) -> Double {
    let between: Double
    switch (isNode[left], isNode[right]) {
    case (true, true): between = spacing.nodes
    case (false, false): between = spacing.edges
    default: between = (spacing.nodes + spacing.edges) / 2
    }
    return (widths[left] + widths[right]) / 2 + between
  }

  /// Takes the mean of the two middle values of four drawings, aligned to the narrowest one.
  private mutating func balance(_ drawings: [[Double]]) {
    let bounds = drawings.map { drawing in
      drawing.indices.reduce((left: Double.infinity, right: -Double.infinity)) {
        (
          min($0.left, drawing[$1] - widths[$1] / 2), max($0.right, drawing[$1] + widths[$1] / 2)
        )
      }
    }
    let narrowest =
      bounds.min { $0.right - $0.left < $1.right - $1.left } ?? (left: 0, right: 0)
    let shifts = bounds.enumerated().map { index, bound in
      // Every second drawing is aligned to the right.
      index % 2 == 0 ? narrowest.left - bound.left : narrowest.right - bound.right
    }
    for vertex in middles.indices {
      let places = drawings.indices.map { drawings[$0][vertex] + shifts[$0] }.sorted()
      middles[vertex] = (places[1] + places[2]) / 2
    }
  }

  /// Separates vertices that rounding has moved too close.
  private mutating func separate() {
    for layer in order.layers {
      for (left, right) in zip(layer, layer.dropFirst()) {
        middles[right] = max(middles[right], middles[left] + distance(left, right))
      }
    }
  }
}
