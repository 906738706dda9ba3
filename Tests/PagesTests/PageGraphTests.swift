import Pages
import Testing

@Suite struct PageGraphTests {
  private func graph(_ names: [String], _ edges: [(Int, Int)]) -> PageGraph {
    PageGraph(
      nodes: names.map { PageGraph.Node(name: $0, type: "Dense", shape: "(1)") },
      edges: edges.map { PageGraph.Edge(from: $0.0, to: $0.1) })
  }

  @Test func `a graph without nested models has one view with every layer`() throws {
    let graph = graph(["a", "b", "c"], [(0, 1), (1, 2)])
    #expect(graph.views.count == 1)
    #expect(graph.views[0].items.map(\.node) == [0, 1, 2])
    #expect(graph.views[0].edges == [[0, 1], [1, 2]])
  }

  @Test func `a nested model is folded into one box, with a view of its own`() throws {
    let graph = graph(
      ["in", "body/a", "body/b", "out"], [(0, 1), (1, 2), (2, 3)])
    #expect(graph.views.map(\.title) == ["", "body", "all layers"])
    let whole = graph.views[0]
    #expect(whole.items.map(\.name) == ["in", "body", "out"])
    #expect(whole.items.map(\.view) == [nil, 1, nil])
    #expect(whole.items.map(\.count) == [1, 2, 1])
    #expect(whole.edges == [[0, 1], [1, 2]])
    let body = graph.views[1]
    #expect(body.parent == 0)
    #expect(body.items.map(\.name) == ["body/a", "body/b", "in", "out"])
    #expect(body.items.map(\.isOutside) == [false, false, true, true])
    #expect(Set(body.edges) == [[2, 0], [0, 1], [1, 3]])
    #expect(graph.views[2].items.map(\.node) == [0, 1, 2, 3])
  }

  @Test func `a fold that would make a circle is none`() {
    // From body/a by way of `between` to body/b: as one box, body would be above and below it.
    let graph = graph(
      ["body/a", "between", "body/b"], [(0, 1), (1, 2), (0, 2)])
    #expect(graph.views.count == 1)
    #expect(graph.views[0].items.map(\.node) == [0, 1, 2])
  }

  @Test func `models in models have views in views`() {
    let graph = graph(
      ["x", "m/n/a", "m/n/b", "m/c", "y"], [(0, 1), (1, 2), (2, 3), (3, 4)])
    #expect(graph.views.map(\.title) == ["", "m", "m/n", "all layers"])
    #expect(graph.views.map(\.parent) == [nil, 0, 1, nil])
  }

  @Test func `what all names begin with tells nothing apart`() {
    let graph = graph(["net/a/x", "net/a/y", "net/b"], [(0, 1), (1, 2)])
    #expect(graph.views.map(\.title) == ["", "net/a", "all layers"])
  }

  @Test func `boxes of a view do not overlap, and each line has two ends`() {
    // A chain with a branch at each third layer.
    let count = 300
    let edges =
      (1..<count).map { ($0 - 1, $0) } + stride(from: 0, to: count - 3, by: 3).map { ($0, $0 + 3) }
    let view = graph((0..<count).map { "layer\($0)" }, edges).views[0]
    #expect(view.lines.count == edges.count)
    #expect(view.lines.allSatisfy { $0.count >= 4 && $0.count.isMultiple(of: 2) })
    for (index, item) in view.items.enumerated() {
      for other in view.items[(index + 1)...] {
        let (a, b) = (item.box, other.box)
        #expect(
          a[0] + a[2] <= b[0] || b[0] + b[2] <= a[0] || a[1] + a[3] <= b[1] || b[1] + b[3] <= a[1])
      }
    }
  }
}
