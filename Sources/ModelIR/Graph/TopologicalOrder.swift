/// Sorts definitions topologically, preserving their order where possible.
///
/// - Throws: `badData` with the layers of a cycle, each of which reads the one before.
package func topologicalOrder(
  of definitions: [LayerDefinition]
) throws(NetconvError) -> [LayerDefinition] {
  var index: [String: Int] = [:]
  for (position, definition) in definitions.enumerated() {
    for output in definition.outputs { index[output] = position }
  }
  let sources = definitions.map { definition in Set(definition.inputs.compactMap { index[$0] }) }
  let readers = ValueReaders(of: sources)
  var missing = sources.map(\.count)
  var order: [Int] = []
  var ready = SmallestFirst()
  for position in definitions.indices where missing[position] == 0 { ready.insert(position) }
  while let next = ready.removeSmallest() {
    order.append(next)
    for reader in readers[next] {
      missing[reader] -= 1
      if missing[reader] == 0 { ready.insert(reader) }
    }
  }
  guard order.count == definitions.count else {
    let cycle = firstCycle(among: definitions.indices.filter { missing[$0] > 0 }, sources)
    throw .cycle(cycle.map { definitions[$0].name })
  }
  return order.map { definitions[$0] }
}

/// Returns a cycle among layers that wait for each other, or for a cycle; it starts at its first layer.
private func firstCycle(among waiting: [Int], _ sources: [Set<Int>]) -> [Int] {
  let isWaiting = Set(waiting)
  var path: [Int] = []
  var places: [Int: Int] = [:]
  var next = waiting.first
  // Every waiting layer reads another waiting layer: following inputs leads to a layer for the second time.
  while let layer = next, places[layer] == nil {
    places[layer] = path.count
    path.append(layer)
    next = sources[layer].filter(isWaiting.contains).min()
  }
  let cycle: [Int] = next.flatMap { places[$0] }.map { path[$0...].reversed() } ?? []
  let start = cycle.indices.min { cycle[$0] < cycle[$1] } ?? 0
  return Array(cycle[start...] + cycle[..<start])
}

/// A binary min-heap.
private struct SmallestFirst {
  private var values: [Int] = []

  mutating func insert(_ value: Int) {
    var place = values.count
    values.append(value)
    while place > 0, values[(place - 1) / 2] > values[place] {
      values.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func removeSmallest() -> Int? {
    guard let smallest = values.first else { return nil }
    let last = values.removeLast()
    guard !values.isEmpty else { return smallest }
    values[0] = last
    var place = 0
    while let child = [2 * place + 1, 2 * place + 2].filter(values.indices.contains)
      .min(by: { values[$0] < values[$1] }), values[child] < values[place]
    {
      values.swapAt(place, child)
      place = child
    }
    return smallest
  }
}

extension NetconvError {
  fileprivate static func cycle(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData, "the layers form a cycle, so none of these can be computed first",
      details: names.map { quoted($0) })
  }
}
