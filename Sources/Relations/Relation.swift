import ModelIR

/// What a tensor of one set of weights is in another.
public struct Relation: Sendable {
  /// What is known of it.
  public enum Outcome: Sendable {
    /// Its values came from these parts, and from nowhere else.
    case related([RelatedPart])
    /// Its values fit each of these, and do not tell which it is; for ``Ambiguity/orders``, it is made of all of them.
    case undetermined(Ambiguity, [RelatedPart])
    /// It is made of these parts, but for a few values that are others.
    case nearly([RelatedPart], Discrepancy)
    /// Its values are not in the other set.
    case unrelated(nearest: NearestTensor?)

    /// The one part that the values came from; `nil` if they came from several, or it is not known.
    package var singlePart: RelatedPart? {
      guard case .related(let parts) = self, parts.count == 1 else { return nil }
      return parts[0]
    }
  }

  /// The tensor, by its place in its set.
  public let tensor: Int
  /// What is known of it.
  public let outcome: Outcome
}

/// A few values of a tensor that are not those of what it was made of.
public struct Discrepancy: Sendable, Equatable {
  /// How many there are.
  public private(set) var count: Int
  /// The place of the first of them in the tensor as it is stored.
  public internal(set) var index: Int
  /// The value there.
  public private(set) var value: Float
  /// What it should be.
  public private(set) var expected: Float

  /// A number of values, and the first of them.
  public init(count: Int, index: Int, value: Float, expected: Float) {
    (self.count, self.index, self.value, self.expected) = (count, index, value, expected)
  }

  /// These values and others.
  func adding(_ other: Discrepancy) -> Discrepancy {
    var sum = other.index < index ? other : self
    sum.count = count + other.count
    return sum
  }
}

/// Why values do not tell what a tensor is.
public enum Ambiguity: String, Sendable, CaseIterable {
  /// All of its values are the same.
  case constant
  /// Several tensors have the same values.
  case tied
  /// It is the same array after several rearrangements.
  case symmetric
  /// Its parts are known; places of them that have the same values may be in another order.
  case orders
}

/// A part of a tensor, and what it was made of.
public struct RelatedPart: Sendable {
  /// A range of places of an axis of a stored array.
  public struct Section: Sendable, Equatable {
    /// The axis, by its place in the shape.
    public let axis: Int
    /// Its places.
    public let range: Range<Int>

    /// The places `range` of the axis `axis`.
    public init(axis: Int, range: Range<Int>) {
      self.axis = axis
      self.range = range
    }
  }

  /// Which part it is; empty for the whole tensor.
  public let target: [Section]
  /// The tensor that it came from, by its place in its set; `nil` for zeros that were put there.
  public let source: Int?
  /// Which part of that it is; empty for all of it.
  public let sourceSections: [Section]
  /// How whole axes were moved, merged, split and reversed; `nil` for zeros, and where only ``source`` is known.
  public let rearrangement: Rearrangement?
  /// The order of the places of axes that have another: for each place, the one that it came from.
  public let orders: [Axis: [Int]]
  /// The tensor that was added to ``source`` in float32; `nil` if nothing was.
  public let addend: Int?
  /// What was done to the values.
  public let likeness: Likeness

  /// Factors that values were multiplied by.
  public struct Factors: Sendable, Hashable {
    /// The axis whose places have factors of their own, by its place in the shape; `nil` if there is one for all.
    public let axis: Int?
    /// The factors.
    public let values: [Double]
    /// The normalisation that has these factors; `nil` if none has.
    public let normalization: FoldedNormalization?

    /// Factors, one for each place of an axis or one for all.
    public init(axis: Int?, values: [Double], normalization: FoldedNormalization?) {
      self.axis = axis
      self.values = values
      self.normalization = normalization
    }

    /// Whether there is one factor, and it is 1 but for rounding.
    public var isRounding: Bool { axis == nil && abs(values[0] - 1) < 1e-6 }
  }

  /// A normalisation that was folded into a kernel: factors of `gamma / sqrt(variance + epsilon)`.
  public struct FoldedNormalization: Sendable, Hashable {
    /// The gamma, by its place in its set.
    public let gamma: Int
    /// The variance, by its place in its set.
    public let variance: Int
    /// The epsilon.
    public let epsilon: Double

    /// Tensors by their places.
    public init(gamma: Int, variance: Int, epsilon: Double) {
      self.gamma = gamma
      self.variance = variance
      self.epsilon = epsilon
    }
  }

  /// What a bias was made of when a normalisation was folded: `beta + (bias - mean) * factor`.
  public struct FoldedBias: Sendable, Hashable {
    /// The beta, by its place in its set.
    public let beta: Int
    /// The mean, by its place in its set.
    public let mean: Int
    /// The bias, by its place in its set; `nil` if there was none.
    public let bias: Int?
    /// The normalisation; `nil` if only its factors are known.
    public let normalization: FoldedNormalization?

    /// Tensors by their places.
    public init(beta: Int, mean: Int, bias: Int?, normalization: FoldedNormalization? = nil) {
      self.beta = beta
      self.mean = mean
      self.bias = bias
      self.normalization = normalization
    }
  }

  /// Every tensor that the part was made of.
  var sources: [Int] {
    var all = [source, addend].compactMap(\.self)
    switch likeness {
    case .scaled(let scale):
      if let normalization = scale.normalization {
        all += [normalization.gamma, normalization.variance]
      }
    case .folded(let bias): all += [bias.mean] + [bias.bias].compactMap(\.self)
    case .exact, .rounded, .truncated, .negated: break
    }
    return all
  }

  /// A part; of zeros if `source` is `nil`.
  public init(
    target: [Section] = [], source: Int?, sourceSections: [Section] = [],
    rearrangement: Rearrangement? = nil, orders: [Axis: [Int]] = [:], addend: Int? = nil,
    likeness: Likeness = .exact
  ) {
    self.target = target
    self.source = source
    self.sourceSections = sourceSections
    self.rearrangement = rearrangement
    self.orders = orders
    self.addend = addend
    self.likeness = likeness
  }

  /// The same with its source named by its place in another list.
  func naming(_ places: [Int]) -> RelatedPart {
    RelatedPart(
      target: target, source: source.map { places[$0] }, sourceSections: sourceSections,
      rearrangement: rearrangement, orders: orders, addend: addend, likeness: likeness)
  }

  /// Whether the values are bit by bit what they were, but for the sign.
  public var isExact: Bool { likeness == .exact || likeness == .negated }

  /// ``orders`` by the names that einops has for the axes.
  public var namedOrders: [String: [Int]] {
    Dictionary(uniqueKeysWithValues: orders.map { ($0.key.lowercased, $0.value) })
  }

  /// How all values of ``source``, with those of ``addend``, were moved; `nil` if only a part was.
  public var copy: StridedCopy? {
    guard target.isEmpty, sourceSections.isEmpty else { return nil }
    return rearrangement?.copy(orders: orders)
  }

  /// Whether it is the whole other tensor as it is stored.
  public var isIdentity: Bool {
    isExact && addend == nil && target.isEmpty && sourceSections.isEmpty && orders.isEmpty
      && rearrangement?.copy.isIdentity == true
  }
}

/// The tensor whose values are distributed most alike.
public struct NearestTensor: Sendable {
  /// The tensor, by its place in its set.
  public let tensor: Int
  /// How far means and standard deviations are apart, as a part of the larger standard deviation.
  public let distance: Double
}

/// How two sets of weights are related.
public struct WeightRelations: Sendable {
  /// What each tensor of the second set is, in its order.
  public let tensors: [Relation]
  /// The tensors of the first set that none of the second came from, and what they are most like.
  public let unused: [(tensor: Int, nearest: NearestTensor?)]
  /// The sizes of axes whose places have another order in the second set, as whole tensors tell.
  public let movedSizes: Set<Int>
}
