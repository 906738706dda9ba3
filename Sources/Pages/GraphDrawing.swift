import GraphLayout

/// The drawing of parts of a graph.
struct GraphDrawing {
  private let nodes: [PageGraph.Node]
  private let edges: [PageGraph.Edge]

  /// The heights of boxes, and the limits on the width of text, in pixels.
  private static let (nodeHeight, groupHeight, outsideHeight) = (46.0, 58.0, 30.0)
  private static let (leastWidth, mostWidth) = (96.0, 230.0)
  /// The width of a character in a box, in pixels.
  private static let characterWidth = 7.2

  init(nodes: [PageGraph.Node], edges: [PageGraph.Edge]) {
    self.nodes = nodes
    self.edges = edges
  }

  /// Returns a drawing of `members`, with one box for each of `groups` and one for each connected
  /// node outside.
  func view(
    of members: [Int], groups: [GraphFolding.Group], title: String, parent: Int?
  ) -> PageGraph.View {
    let folded = Dictionary(
      groups.enumerated().flatMap { index, group in group.members.map { ($0, index) } }
    ) { first, _ in first }
    var boxes: [Box] = []
    var places: [Int: Int] = [:]
    var ofGroups: [Int: Int] = [:]
    for member in members {
      if let group = folded[member] {
        if let place = ofGroups[group] {
          places[member] = place
        } else {
          ofGroups[group] = boxes.count
          places[member] = boxes.count
          boxes.append(box(of: groups[group]))
        }
      } else {
        places[member] = boxes.count
        boxes.append(box(of: member, isOutside: false))
      }
    }
    let inside = Set(members)
    var connections: [[Int]] = []
    var seen: Set<[Int]> = []
    // A node outside has one box as an input and one as an output.
    var outside: [Int: (gives: Int?, takes: Int?)] = [:]
    for edge in edges {
      let (hasFrom, hasTo) = (inside.contains(edge.from), inside.contains(edge.to))
      guard hasFrom || hasTo else { continue }
      if !hasFrom, outside[edge.from]?.gives == nil {
        outside[edge.from, default: (nil, nil)].gives = boxes.count
        boxes.append(box(of: edge.from, isOutside: true))
      }
      if !hasTo, outside[edge.to]?.takes == nil {
        outside[edge.to, default: (nil, nil)].takes = boxes.count
        boxes.append(box(of: edge.to, isOutside: true))
      }
      guard let from = hasFrom ? places[edge.from] : outside[edge.from]?.gives,
        let to = hasTo ? places[edge.to] : outside[edge.to]?.takes, from != to,
        seen.insert([from, to]).inserted
      else { continue }
      connections.append([from, to])
    }
    return view(boxes, connections, title: title, parent: parent)
  }

  private func view(
    _ boxes: [Box], _ edges: [[Int]], title: String, parent: Int?
  ) -> PageGraph.View {
    let layout = LayeredLayout(
      of: DirectedGraph(
        nodes: boxes.map { Size(width: $0.width, height: $0.height) },
        edges: edges.map { DirectedGraph.Edge(from: $0[0], to: $0[1]) }),
      spacing: LayoutSpacing(nodes: 20, layers: 34, edges: 12))
    return PageGraph.View(
      title: title, parent: parent,
      items: zip(boxes, layout.frames).map { box, frame in
        PageGraph.Item(
          node: box.node, view: nil, name: box.name, count: box.count, isOutside: box.isOutside,
          box: [frame.left, frame.top, box.width, box.height].map(Self.tenths))
      }, edges: edges,
      lines: layout.routes.map { route in route.flatMap { [Self.tenths($0.x), Self.tenths($0.y)] }
      },
      width: Self.tenths(layout.size.width), height: Self.tenths(layout.size.height))
  }

  /// Rounds to tenths of a pixel, which are invisible and take fewer digits.
  private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  private struct Box {
    let node: Int?
    let name: String
    let count: Int
    let isOutside: Bool
    let width: Double
    let height: Double
  }

  private func box(of node: Int, isOutside: Bool) -> Box {
    let found = nodes[node]
    let second = "\(found.type) \(found.shape)".count
    return Box(
      node: node, name: found.name, count: 1, isOutside: isOutside,
      width: Self.width(isOutside ? found.name.count : max(found.name.count, second)),
      height: isOutside ? Self.outsideHeight : Self.nodeHeight)
  }

  private func box(of group: GraphFolding.Group) -> Box {
    Box(
      node: nil, name: group.name, count: group.members.count, isOutside: false,
      width: Self.width(group.name.count + 4), height: Self.groupHeight)
  }

  private static func width(_ characters: Int) -> Double {
    min(mostWidth, max(leastWidth, 28 + characterWidth * Double(characters)))
  }
}
