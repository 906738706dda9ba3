import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Attention {
  /// Returns the means of values, or the weights if they alone are an output.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    try evaluateOutputs(inputs, parameters)[0]
  }

  /// Returns y[t, h, f] = Σ w[h, t, s] · v[s, h, f], w = softmax of the scores over s, and w itself.
  ///
  /// A query whose scores are all masked or -∞ attends to all keys alike, as in Keras, or to none.
  public func evaluateOutputs(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> [NDArray<Double>] {
    let sizes = sizes(of: inputs.map(\.shape))
    let shape = (heads.map { [$0] } ?? []) + [sizes.queries, sizes.keys]
    let table = try AttentionScores(self, sizes, inputs, parameters)
    var means = try NDArray<Double>(shape: [sizes.queries, sizes.heads * sizes.valueWidth])
    var weights = try NDArray<Double>(shape: shape)
    for head in 0..<sizes.heads {
      for query in 0..<sizes.queries {
        let row = table.weights(head: head, query: query)
        let first = (head * sizes.queries + query) * sizes.keys
        weights.values.replaceSubrange(first..<first + sizes.keys, with: row)
        guard !table.isCleared(query) else { continue }
        let target = (query * sizes.heads + head) * sizes.valueWidth
        for (key, weight) in row.enumerated() {
          let source =
            (key * sizes.keyHeads + sizes.keyHead(of: head)) * sizes.valueWidth
          for index in 0..<sizes.valueWidth {
            means.values[target + index] += weight * inputs[2].values[source + index]
          }
        }
      }
    }
    return switch result {
    case .means: [means]
    case .weights: [weights]
    case .both: [means, weights]
    }
  }
}

/// The scores of queries and keys in Double.
private struct AttentionScores {
  let operation: Attention
  let sizes: AttentionSizes
  let query: [Double]
  let key: [Double]
  let masks: [(kind: AttentionMask, values: [Double], places: BroadcastPlaces)]
  let factor: Double
  let gamma: [Double]
  let alpha: Double

  init(
    _ operation: Attention, _ sizes: AttentionSizes, _ inputs: [NDArray<Double>],
    _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) {
    self.operation = operation
    self.sizes = sizes
    query = inputs[0].values
    key = inputs[1].values
    factor = operation.factor(width: sizes.width)
    gamma = parameters[.gamma]?.values ?? [1]
    alpha = parameters[.alpha]?.values[0] ?? 1
    let all = [sizes.heads, sizes.queries, sizes.keys]
    masks = zip(operation.masks, inputs.dropFirst(3)).map { kind, input in
      let shape =
        switch kind {
        case .keys: [1, 1, sizes.keys]
        case .queries, .results: [1, sizes.queries, 1]
        case .pairs, .bias: [Int](repeating: 1, count: 3 - input.rank) + input.shape
        }
      return (kind, input.values, BroadcastPlaces(of: shape, in: all))
    }
  }

  /// Returns true if the mean of a query is set to zero.
  func isCleared(_ query: Int) -> Bool {
    masks.contains { $0.kind == .results && $0.values[query] == 0 }
  }

  /// Returns the weights of all keys for a query.
  func weights(head: Int, query: Int) -> [Double] {
    let reach = operation.reach(of: query, keys: sizes.keys)
    let scores = (0..<sizes.keys).map { key in
      reach.contains(key) ? score(head, query, key) : -.infinity
    }
    let largest = scores.reduce(-.infinity) { $0.isNaN || $1.isNaN ? .nan : Swift.max($0, $1) }
    guard largest != -.infinity else {
      let weight = operation.zerosEmpty ? 0 : 1 / Double(sizes.keys)
      return [Double](repeating: weight, count: sizes.keys)
    }
    let powers = scores.map { exp($0 - largest) }
    let sum = powers.reduce(0, +)
    return powers.map { $0 / sum }
  }

  /// Returns a score, with its bias; -∞ if it is masked.
  private func score(_ head: Int, _ query: Int, _ key: Int) -> Double {
    var score = product(head, query, key)
    if let cap = operation.softCap { score = cap * tanh(score / cap) }
    let place = (head * sizes.queries + query) * sizes.keys + key
    for mask in masks {
      let value = mask.values[mask.places[place]]
      switch mask.kind {
      case .bias: score += value
      case .keys, .queries, .pairs: if value == 0 { return -.infinity }
      case .results: break
      }
    }
    return score
  }

  private func product(_ head: Int, _ index: Int, _ place: Int) -> Double {
    let first = (index * sizes.heads + head) * sizes.width
    let second = (place * sizes.keyHeads + sizes.keyHead(of: head)) * sizes.width
    var sum = 0.0
    for axis in 0..<sizes.width {
      let (x, y) = (query[first + axis], key[second + axis])
      switch operation.score {
      case .dot: sum += x * y
      case .additive: sum += gamma[gamma.count == 1 ? 0 : axis] * tanh(x + y)
      case .scaledAdditive: sum += tanh(gamma[0] * (x + y))
      }
    }
    let scaled = factor * sum
    return switch operation.score {
    case .dot: gamma[0] * scaled
    case .additive: scaled
    case .scaledAdditive: alpha * scaled
    }
  }
}
