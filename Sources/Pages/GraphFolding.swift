/// The nested groups of nodes according to their names: `body/conv1` and `body/conv2` belong to
/// `body`.
struct GraphFolding {
  /// Nodes whose names have a common prefix.
  struct Group {
    /// The prefix.
    let name: String
    /// All nodes of the group, including those of nested groups.
    let members: [Int]
    /// The nested groups.
    let groups: [Group]
  }

  /// The limit on the depth of nesting.
  private static let depthLimit = 8

  /// The indices of all nodes.
  let all: [Int]
  /// The outermost groups.
  let groups: [Group]

  /// Groups nodes by name.
  ///
  /// - Parameters:
  ///   - names: The name of each node.
  ///   - edges: The edges between nodes.
  init(names: [String], edges: [PageGraph.Edge]) {
    all = Array(names.indices)
    let parts = names.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
    groups = Self.groups(of: all, parts, depth: 0, edges)
  }

  private static func groups(
    of members: [Int], _ parts: [[Substring]], depth: Int, _ edges: [PageGraph.Edge]
  ) -> [Group] {
    guard depth < depthLimit else { return [] }
    var order: [Substring] = []
    var found: [Substring: [Int]] = [:]
    for member in members where parts[member].count > depth + 1 {
      let part = parts[member][depth]
      if found[part] == nil { order.append(part) }
      found[part, default: []].append(member)
    }
    let candidates = order.compactMap { part in found[part].map { (part, $0) } }
      .filter { $0.1.count > 1 && $0.1.count < members.count }
    // A prefix of all names is skipped.
    if candidates.isEmpty, order.count == 1, found[order[0]]?.count == members.count {
      return groups(of: members, parts, depth: depth + 1, edges)
    }
    let convex = Self.convex(candidates.map(\.1), among: members, edges)
    return zip(candidates, convex).filter(\.1).map { candidate, _ in
      Group(
        name: parts[candidate.1[0]][...depth].joined(separator: "/"), members: candidate.1,
        groups: groups(of: candidate.1, parts, depth: depth + 1, edges))
    }
  }

  /// Determines which groups can together be drawn as single nodes without creating a cycle.
  private static func convex(
    _ groups: [[Int]], among members: [Int], _ edges: [PageGraph.Edge]
  ) -> [Bool] {
    var accepted = groups.map { _ in true }
    let inside = Set(members)
    let own = edges.filter { inside.contains($0.from) && inside.contains($0.to) }
    // Each round rejects the groups on a cycle.
    while true {
      var place = Dictionary(uniqueKeysWithValues: members.map { ($0, $0) })
      for (index, group) in groups.enumerated() where accepted[index] {
        for member in group { place[member] = -1 - index }
      }
      let left = circle(
        own.compactMap { edge in
          guard let from = place[edge.from], let to = place[edge.to], from != to else { return nil }
          return PageGraph.Edge(from: from, to: to)
        })
      let given = groups.indices.filter { accepted[$0] && left.contains(-1 - $0) }
      if given.isEmpty { return accepted }
      for index in given { accepted[index] = false }
    }
  }

  /// The nodes that remain after repeated removal of nodes without inputs and of nodes without
  /// outputs.
  private static func circle(_ edges: [PageGraph.Edge]) -> Set<Int> {
    func remaining(_ edges: Set<PageGraph.Edge>, _ ends: (PageGraph.Edge) -> (Int, Int))
      -> Set<PageGraph.Edge>
    {
      var counts: [Int: Int] = [:]
      var out: [Int: [PageGraph.Edge]] = [:]
      for edge in edges {
        let (from, to) = ends(edge)
        counts[to, default: 0] += 1
        out[from, default: []].append(edge)
      }
      var free = out.keys.filter { counts[$0] == nil }
      var rest = edges
      while let node = free.popLast() {
        for edge in out[node] ?? [] {
          rest.remove(edge)
          let to = ends(edge).1
          counts[to, default: 0] -= 1
          if counts[to] == 0 { free.append(to) }
        }
      }
      return rest
    }
    let forward = remaining(Set(edges)) { ($0.from, $0.to) }
    let both = remaining(forward) { ($0.to, $0.from) }
    return Set(both.flatMap { [$0.from, $0.to] })
  }
}
