extension PageGraph {
  /// Creates a graph of `nodes` and its views.
  ///
  /// Nested models are identified by a common prefix of names up to a `/`. A nested model is folded
  /// if it has several nodes and if no path leaves and re-enters it, so that a fold hides no order.
  public init(nodes: [Node], edges: [Edge]) {
    self.nodes = nodes
    var views: [View] = []
    let folding = GraphFolding(names: nodes.map(\.name), edges: edges)
    let drawing = GraphDrawing(nodes: nodes, edges: edges)
    Self.add(folding.groups, of: folding.all, title: "", parent: nil, drawing, to: &views)
    if views.count > 1 {
      views.append(
        drawing.view(of: folding.all, groups: [], title: "all layers", parent: nil))
    }
    self.views = views
  }

  private static func add(
    _ groups: [GraphFolding.Group], of members: [Int], title: String, parent: Int?,
    _ drawing: GraphDrawing, to views: inout [View]
  ) {
    let index = views.count
    views.append(drawing.view(of: members, groups: groups, title: title, parent: parent))
    for group in groups {
      let place = views.count
      if let item = views[index].items.firstIndex(where: {
        $0.node == nil && $0.name == group.name
      }) {
        views[index].items[item].view = place
      }
      add(group.groups, of: group.members, title: group.name, parent: index, drawing, to: &views)
    }
  }
}
