import Relations
import Testing

/// Orders of indices that values alone do not determine.
@Suite struct PlaceOrderTests {
  /// The outcomes for tensors with names.
  private func outcomes(
    _ a: [(String, TestArray)], _ b: [(String, TestArray)]
  ) throws -> [Relation.Outcome] {
    try WeightRelations.find(
      a.map { $1.tensor($0) }, b.map { $1.tensor($0) }, threads: 2
    ).tensors.map(\.outcome)
  }

  @Test func `places with the same values have the order that the layer has elsewhere`() throws {
    let kernel = TestArray([4, 12])
    var bias = TestArray([12], seed: 2)
    (bias.values[1], bias.values[7]) = (bias.values[10], bias.values[2])
    let order = [0, 1, 3, 2].flatMap { gate in (0..<3).map { gate * 3 + $0 } }
    let moved = bias.taking(order, of: 0)
    let found = try outcomes(
      [("lstm/kernel", kernel), ("lstm/bias", bias)],
      [("k", kernel.taking(order, of: 1)), ("b", moved)])
    guard case .related(let parts) = found[1] else {
      Issue.record("\(found[1])")
      return
    }
    #expect(parts.first?.orders.values.first == [0, 1, 3, 2])
    // With other values it would be the same.
    let other = TestArray([12], seed: 3)
    #expect(made(found[1], of: [kernel, other], [12])?.values == other.taking(order, of: 0).values)
    // Blocks tell their order themselves; single places that are equal do not, and another layer says nothing of them.
    let units = [0, 5, 2, 3, 4, 1, 7, 6, 8, 9, 11, 10]
    for names in [["other/kernel"], []] {
      let found = try outcomes(
        names.map { ($0, kernel) } + [("lstm/bias", bias)],
        names.map { _ in ("k", kernel.taking(units, of: 1)) }
          + [("b", bias.taking(units, of: 0))])
      guard case .undetermined(.orders, _) = found[names.count] else {
        Issue.record("\(found)")
        continue
      }
    }
    // Equal to itself, where the kernel was moved.
    let pair = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 11].map { Float($0 + 1) }
    let swapped = [0, 10, 2, 3, 4, 5, 6, 7, 8, 9, 1, 11]
    let same = try outcomes(
      [("fc/kernel", kernel), ("fc/bias", TestArray([12], pair))],
      [("k", kernel.taking(swapped, of: 1)), ("b", TestArray([12], pair))])
    #expect(
      made(same[1], of: [kernel, other], [12])?.values == other.taking(swapped, of: 0).values)
  }

  @Test func `constant vectors take the order of their layer, and empty channels have none`() throws
  {
    let kernel = TestArray([4, 12])
    let order = [0, 1, 3, 2].flatMap { gate in (0..<3).map { gate * 3 + $0 } }
    let zeros = TestArray([12], [Float](repeating: 0, count: 12))
    let found = try outcomes(
      [("lstm/kernel", kernel), ("lstm/bias", zeros)],
      [("k", kernel.taking(order, of: 1)), ("b", zeros)])
    guard case .undetermined(.constant, let parts) = found[1] else {
      Issue.record("\(found[1])")
      return
    }
    #expect(parts.first?.orders.values.first == [0, 1, 3, 2])
    var pruned = TestArray([6, 5])
    for index in 5..<10 { (pruned.values[index], pruned.values[index + 10]) = (0, 0) }
    guard
      case .undetermined(.orders, let rows) = try outcomes(
        [("a", pruned)], [("b", pruned.taking([3, 0, 5, 1, 4, 2], of: 0))])[0]
    else {
      Issue.record("two empty channels have an order")
      return
    }
    #expect(rows.count == 1)
    // A flatten in another order moves places of the kernel behind it, and of nothing else that is known.
    let flat = TestArray([6, 4], seed: 4)
    let turned = [0, 3, 1, 4, 2, 5]
    let relations = try WeightRelations.find(
      [flat.tensor("fc/kernel")], [flat.taking(turned, of: 0).tensor("k")], threads: 1)
    #expect(relations.movedSizes == [6])
  }

  /// Projections of an attention with biases that repeat values, and the order that each is put in.
  private let projections = (
    kernels: (0..<3).map { TestArray([8, 4], seed: UInt64(20 + $0)) },
    biases: [
      [4, 1, 7, 1, 5, 3, 1, 2], [6, 9, 9, 0, 8, 9, 11, 10], [12, 14, 13, 12, 15, 16, 17, 12],
    ]
    .map { TestArray([8], $0) },
    orders: [[3, 0, 5, 1, 4, 7, 2, 6], [2, 7, 1, 0, 6, 5, 4, 3], Array(0..<8)]
  )

  /// The concatenation of `arrays`, each in its order.
  private func fused(_ arrays: [TestArray]) -> TestArray {
    TestArray(
      [3 * arrays[0].shape[0]] + arrays[0].shape.dropFirst(),
      zip(arrays, projections.orders).flatMap { $0.taking($1, of: 0).values })
  }

  @Test(arguments: [["q.kernel", "k.kernel", "v.kernel"], ["at/q_w", "at/k_w", "at/v_w"]])
  func `joined vectors with equal values have the orders of their kernels`(names: [String]) throws {
    let (kernels, biases, _) = projections
    let biasNames = names.map { String($0.dropLast($0.hasSuffix("_w") ? 1 : 6)) + "bias" }
    let sources = Array(zip(names, kernels)) + Array(zip(biasNames, biases))
    let found = try outcomes(
      sources, [("qkv.kernel", fused(kernels)), ("qkv.bias", fused(biases))])
    // With other values, the orders tell.
    let others = (0..<3).map { TestArray([8], seed: UInt64(40 + $0)) }
    #expect(made(found[0], of: kernels + biases, [24, 4])?.values == fused(kernels).values)
    #expect(made(found[1], of: kernels + others, [24])?.values == fused(others).values)
    // And the other way round, each from its part.
    let moved = zip(kernels + biases, projections.orders + projections.orders).map {
      $0.taking($1, of: 0)
    }
    let stacked = [
      TestArray([24, 4], kernels.flatMap(\.values)), TestArray([24], biases.flatMap(\.values)),
    ]
    let cut = try outcomes(
      Array(zip(["qkv.kernel", "qkv.bias"], stacked)), Array(zip(names + biasNames, moved)))
    let fresh = TestArray([24], seed: 50)
    for place in 0..<3 {
      let part = TestArray([8], Array(fresh.values[place * 8..<place * 8 + 8]))
      #expect(
        made(cut[3 + place], of: [stacked[0], fresh], [8])?.values
          == part.taking(projections.orders[place], of: 0).values, "\(names[place])")
    }
  }

  @Test func `orders that nothing tells are left to a person, with all parts`() throws {
    let biases = projections.biases
    let found = try outcomes(
      zip(["q", "k", "v"], biases).map { ($0, $1) }, [("qkv", fused(biases))])
    guard case .undetermined(.orders, let parts) = found[0] else {
      Issue.record("\(found[0])")
      return
    }
    #expect(parts.map(\.source) == [0, 1, 2])
    #expect(parts.allSatisfy { $0.target.count == 1 })
  }

  @Test func `a kernel whose equal places hide the order of its layer is left to a person`() throws
  {
    // Columns 0 and 5 are pruned, and change places; only the bias shows it.
    var kernel = TestArray([4, 6], seed: 9)
    for row in 0..<4 { (kernel.values[row * 6], kernel.values[row * 6 + 5]) = (0, 0) }
    let bias = TestArray([6], seed: 10)
    let order = [5, 1, 2, 3, 4, 0]
    let found = try outcomes(
      [("l.kernel", kernel), ("l.bias", bias)],
      [("k", kernel.taking(order, of: 1)), ("b", bias.taking(order, of: 0))])
    guard case .undetermined(.orders, let parts) = found[0] else {
      Issue.record("\(found[0])")
      return
    }
    #expect(parts.count == 1)
    guard case .related = found[1] else {
      Issue.record("\(found[1])")
      return
    }
    // Where nothing was moved, nothing is in doubt.
    let still = try outcomes(
      [("l.kernel", kernel), ("l.bias", bias)], [("k", kernel), ("b", bias)])
    for outcome in still {
      guard case .related = outcome else {
        Issue.record("\(outcome)")
        continue
      }
    }
  }
}
