import ModelIR

/// The sizes of attention over inputs of known shapes.
package struct AttentionSizes: Sendable {
  /// The number of queries.
  package let queries: Int
  /// The number of keys and values.
  package let keys: Int
  /// The number of heads of the queries.
  package let heads: Int
  /// The number of heads of the keys and values.
  package let keyHeads: Int
  /// The width of a query and of a key, of one head.
  package let width: Int
  /// The width of a value, of one head.
  package let valueWidth: Int

  /// Returns the head of the keys that a head of the queries uses.
  package func keyHead(of head: Int) -> Int { head / (heads / keyHeads) }
}

extension Attention {
  /// Returns the sizes for inputs of known shapes, which fit the operator.
  package func sizes(of inputs: [[Int]]) -> AttentionSizes {
    let heads = heads ?? 1
    let keyHeads = keyHeads ?? heads
    return AttentionSizes(
      queries: inputs[0][0], keys: inputs[1][0], heads: heads, keyHeads: keyHeads,
      width: inputs[0][1] / heads, valueWidth: inputs[2][1] / keyHeads)
  }

  /// Returns the factor of the scores of heads of `width`.
  package func factor(width: Int) -> Double { scale ?? 1 / Double(width).squareRoot() }

  /// Returns the keys within reach of a query; there may be none.
  package func reach(of query: Int, keys: Int) -> Range<Int> {
    let first = before.map { max(0, query - $0) } ?? 0
    let end = after.map { min(keys, query + $0 + 1) } ?? keys
    return min(first, end)..<end
  }

  /// Checks the numbers of heads, and other settings that depend on no input.
  func checkAttributes() throws(NetconvError) {
    try checkSizes(("heads", heads ?? 1), ("keyHeads", keyHeads ?? 1))
    guard (heads ?? 1) % (keyHeads ?? heads ?? 1) == 0 else {
      throw .wrongHeads(heads ?? 1, keyHeads: keyHeads ?? 1)
    }
    for (name, limit) in [("before", before), ("after", after)] {
      guard let limit, !(0...longestReach).contains(limit) else { continue }
      throw .attributeOutOfRange(name, limit, 0...longestReach)
    }
    if let softCap, !(softCap > 0 && softCap.isFinite) { throw .wrongFactor("softCap", softCap) }
    if let scale, !scale.isFinite { throw .wrongFactor("scale", scale) }
    guard score == .dot || heads == nil else { throw .sumsOfHeads }
  }

  /// Returns the widths of a key and of a value, of one head.
  ///
  /// - Throws: `badData` if the heads do not divide them.
  func widths(_ inputs: [Shape]) throws(NetconvError) -> (key: Int, value: Int) {
    let heads = heads ?? 1
    let keyHeads = keyHeads ?? heads
    let (query, key) = (try inputs[0].lastAxis(), try inputs[1].lastAxis())
    let value = try inputs[2].lastAxis()
    guard query % heads == 0, key % keyHeads == 0, value % keyHeads == 0,
      query / heads == key / keyHeads
    else { throw .differentShapes(Array(inputs.prefix(3))) }
    return (key / keyHeads, value / keyHeads)
  }

  /// Returns the numbers of queries and keys, which may be unknown.
  ///
  /// - Throws: `badData` if inputs do not fit together.
  func checkedLengths(_ inputs: [Shape]) throws(NetconvError) -> (queries: Int?, keys: Int?) {
    for input in inputs.prefix(3) where input.rank != 2 {
      throw .wrongRank(input, expected: "(steps, heads · width)")
    }
    let queries = inputs[0].dimensions[0]
    let keys = inputs[1].dimensions[0] ?? inputs[2].dimensions[0]
    guard Self.fits(inputs[2].dimensions[0], keys) else { throw .differentShapes(inputs) }
    for (mask, input) in zip(masks, inputs.dropFirst(3)) {
      let sizes: [Int?]
      switch mask {
      case .keys: sizes = [keys]
      case .queries, .results: sizes = [queries]
      case .pairs, .bias: sizes = (input.rank == 3 ? [heads ?? 1] : []) + [queries, keys]
      }
      let isRepeatable = mask == .pairs || mask == .bias
      let fits = zip(input.dimensions, sizes).allSatisfy { own, size in
        Self.fits(own, size) || isRepeatable && own == 1
      }
      guard input.rank == sizes.count, fits else { throw .wrongMask(mask, input, Shape(sizes)) }
    }
    return (queries, keys)
  }

  private static func fits(_ first: Int?, _ second: Int?) -> Bool {
    first == nil || second == nil || first == second
  }
}

/// The largest distance that an attribute may state.
private let longestReach = 1 << 30

extension NetconvError {
  fileprivate static func wrongHeads(_ heads: Int, keyHeads: Int) -> NetconvError {
    NetconvError(
      .badData,
      "keyHeads is \(keyHeads), expected a divisor of the \(heads) heads of the queries")
  }

  fileprivate static func wrongFactor(_ name: String, _ value: Double) -> NetconvError {
    NetconvError(
      .badData,
      "\(name) is \(numeral(value)), expected a \(name == "scale" ? "" : "positive ")number")
  }

  fileprivate static var sumsOfHeads: NetconvError {
    NetconvError(.badData, "additive scores have one head, expected heads to be absent")
  }

  fileprivate static func wrongMask(
    _ mask: AttentionMask, _ found: Shape, _ expected: Shape
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the input for \(mask.rawValue) of the attention has shape \(found), expected \(expected)")
  }
}
