import ModelIR

/// Attention: for each step of a sequence of queries, a mean of values, weighted by how well their keys fit the query.
///
/// Queries, keys and values are projected already. A step has all heads side by side, the head slowest.
public struct Attention: Operator {
  /// The operator's name in documents.
  public static let name = "Attention"

  /// The number of heads of the queries; `nil` for a single head that is no axis of the weights.
  public let heads: Int?
  /// The number of heads of the keys and values, each used by as many consecutive heads of the queries; `nil` if there
  /// are as many as of the queries.
  public let keyHeads: Int?
  /// The function that compares a query with a key.
  public let score: AttentionScore
  /// The factor of the scores; `nil` for 1 / √width of a head.
  public let scale: Double?
  /// The bound c of the scores, which become c · tanh(score / c); `nil` if they are unbounded.
  public let softCap: Double?
  /// The largest distance of a key before its query; `nil` if there is no limit.
  public let before: Int?
  /// The largest distance of a key after its query, 0 for causal attention; `nil` if there is no limit.
  public let after: Int?
  /// The kinds of the inputs after queries, keys and values.
  public let masks: [AttentionMask]
  /// True if a query that attends to nothing has weights of 0; otherwise it attends to all keys alike.
  public let zerosEmpty: Bool
  /// The outputs.
  public let result: AttentionResult

  /// Creates attention.
  public init(
    heads: Int? = nil, keyHeads: Int? = nil, score: AttentionScore = .dot, scale: Double? = nil,
    softCap: Double? = nil, before: Int? = nil, after: Int? = nil, masks: [AttentionMask] = [],
    zerosEmpty: Bool = false, result: AttentionResult = .means
  ) {
    self.heads = heads
    self.keyHeads = keyHeads
    self.score = score
    self.scale = scale
    self.softCap = softCap
    self.before = before
    self.after = after
    self.masks = masks
    self.zerosEmpty = zerosEmpty
    self.result = result
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case heads
    case keyHeads
    case score
    case scale
    case softCap
    case before
    case after
    case masks
    case zerosEmpty
    case result
  }

  /// Decodes the attributes; by default scaled dot products of one head, without masks.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      heads: try attributes.decodeIfPresent(Int.self, forKey: .heads),
      keyHeads: try attributes.decodeIfPresent(Int.self, forKey: .keyHeads),
      score: try attributes.value(.score, default: .dot),
      scale: try attributes.decodeIfPresent(Double.self, forKey: .scale),
      softCap: try attributes.decodeIfPresent(Double.self, forKey: .softCap),
      before: try attributes.decodeIfPresent(Int.self, forKey: .before),
      after: try attributes.decodeIfPresent(Int.self, forKey: .after),
      masks: try attributes.value(.masks, default: []),
      zerosEmpty: try attributes.value(.zerosEmpty, default: false),
      result: try attributes.value(.result, default: .means))
  }

  /// Queries, keys and values, and one input for each mask.
  public var inputCount: ClosedRange<Int> { 3 + masks.count...3 + masks.count }

  /// The means, the weights, or both.
  public var outputCount: Int { result == .both ? 2 : 1 }

  /// Values of several inputs are combined into sums.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Products pair values by their indices.
  public var orderDependence: OrderDependence { .full }

  /// Values are replaced by weighted means.
  public var valueEffect: ValueEffect { .computed }

  /// The number of products of a score, and of the keys that a mean has.
  public func fanIn(of inputs: [[Int]]) -> Int {
    (inputs[0].last ?? 1) / max(1, heads ?? 1) + (inputs[1].first ?? 1)
  }

  /// Returns the shape: (queries, heads · value width), or (heads, queries, keys) of the weights.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try outputShapes(for: inputs)[0]
  }

  /// Returns the shapes of the means and of the weights, as far as they are outputs.
  public func outputShapes(for inputs: [Shape]) throws(NetconvError) -> [Shape] {
    try checkAttributes()
    let lengths = try checkedLengths(inputs)
    let means = Shape([lengths.queries, try widths(inputs).value * (heads ?? 1)])
    let weights = Shape((heads.map { [$0] } ?? []) + [lengths.queries, lengths.keys])
    return switch result {
    case .means: [means]
    case .weights: [weights]
    case .both: [means, weights]
    }
  }

  /// Returns attention that computes the means only, or the weights only.
  public func computing(output index: Int) -> any Operator {
    result == .both ? returning(index == 0 ? .means : .weights) : self
  }

  /// Returns the same attention with other outputs.
  package func returning(_ result: AttentionResult) -> Attention {
    Attention(
      heads: heads, keyHeads: keyHeads, score: score, scale: scale, softCap: softCap,
      before: before, after: after, masks: masks, zerosEmpty: zerosEmpty, result: result)
  }

  /// Returns the factor of the scores, `C`, for a single head, and that of sums: both are optional.
  ///
  /// A sum has a factor for each of its terms, or one for each sum and one for the arguments.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    guard heads == nil else { return [] }
    func factor(_ role: ParameterRole, _ count: Int) -> ParameterSpec {
      ParameterSpec(role, .vector, .c, [.channels: count], isOptional: true)
    }
    switch score {
    case .dot: return [factor(.gamma, 1)]
    case .additive: return [factor(.gamma, try inputs[0].lastAxis())]
    case .scaledAdditive: return [factor(.gamma, 1), factor(.alpha, 1)]
    }
  }
}

/// The function that compares a query with a key.
public enum AttentionScore: String, Sendable, Codable, CaseIterable {
  /// gamma · scale · Σ q·k.
  case dot
  /// scale · Σ gamma · tanh(q + k).
  case additive
  /// alpha · scale · Σ tanh(gamma · (q + k)).
  case scaledAdditive
}

/// An additional input of attention.
///
/// Other numbers than 0 are true.
public enum AttentionMask: String, Sendable, Codable, CaseIterable {
  /// The keys that count: (keys).
  case keys
  /// The queries that attend to anything: (queries).
  case queries
  /// The keys that count for each query: (queries, keys), or with heads in front; sizes of 1 are repeated.
  case pairs
  /// Numbers that are added to the scores, with the shapes of ``pairs``.
  case bias
  /// The queries whose means are not set to zero: (queries).
  case results
}

/// The outputs of attention.
public enum AttentionResult: String, Sendable, Codable, CaseIterable {
  /// The means of the values.
  case means
  /// The weights of the means, which sum to 1 for each query.
  case weights
  /// The means, then the weights.
  case both
}
