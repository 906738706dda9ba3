import ModelIR

/// The relation of a tensor to another set of weights.
public struct Relation: Sendable {
  /// The result for a tensor.
  public enum Outcome: Sendable {
    /// The values come from these parts only.
    case related([RelatedPart])
    /// The values fit each of these parts and do not determine which; for ``Ambiguity/orders``, the
    /// tensor consists of all of them.
    case undetermined(Ambiguity, [RelatedPart])
    /// The tensor consists of these parts, except for a few differing values.
    case nearly([RelatedPart], Discrepancy)
    /// The values are not in the other set.
    case unrelated(nearest: NearestTensor?)

    /// The only part; `nil` if there are several or it is unknown.
    package var singlePart: RelatedPart? {
      guard case .related(let parts) = self, parts.count == 1 else { return nil }
      return parts[0]
    }
  }

  /// The index of the tensor in its set.
  public let tensor: Int
  /// The result.
  public let outcome: Outcome
}

/// A few values of a tensor that differ from its source.
public struct Discrepancy: Sendable, Equatable {
  /// The number of differing values.
  public private(set) var count: Int
  /// The index of the first differing value in the stored tensor.
  public internal(set) var index: Int
  /// The value at the index.
  public private(set) var value: Float
  /// The expected value.
  public private(set) var expected: Float
  /// The sections that contain all of them, for axes along which they do not extend from end to end.
  public internal(set) var sections: [RelatedPart.Section] = []

  /// Creates a discrepancy from a count and its first value.
  public init(count: Int, index: Int, value: Float, expected: Float) {
    (self.count, self.index, self.value, self.expected) = (count, index, value, expected)
  }

  /// The discrepancy with the values of another.
  func adding(_ other: Discrepancy) -> Discrepancy {
    var sum = other.index < index ? other : self
    sum.count = count + other.count
    return sum
  }
}

/// The reason why values do not determine a tensor's source.
public enum Ambiguity: String, Sendable, CaseIterable {
  /// All values are the same.
  case constant
  /// Several tensors have the same values.
  case tied
  /// Several rearrangements give the same array.
  case symmetric
  /// The parts are known, but indices with equal values may be permuted.
  case orders
}

/// A part of a tensor, with its source.
public struct RelatedPart: Sendable {
  /// A range of indices along an axis of a stored array.
  public struct Section: Sendable, Hashable {
    /// The index of the axis in the shape.
    public let axis: Int
    /// The indices along the axis, from the first to the last.
    public let range: Range<Int>
    /// The distance of two indices: 2 for every other one.
    public let step: Int

    /// Creates the section `range` of the axis `axis`.
    ///
    /// - Precondition: the step is positive.
    public init(axis: Int, range: Range<Int>, step: Int = 1) {
      self.axis = axis
      self.range = range
      self.step = step
    }

    /// The number of indices.
    public var count: Int { (range.count + step - 1) / step }

    /// True if an index is in both sections of an axis.
    package func overlaps(_ other: Section) -> Bool {
      let both = range.clamped(to: other.range)
      guard step == other.step else { return !both.isEmpty }
      return !both.isEmpty
        && (range.lowerBound - other.range.lowerBound).isMultiple(of: step)
    }
  }

  /// The sections of the target; empty for the whole tensor.
  public let target: [Section]
  /// The index of the source tensor in its set; `nil` for inserted zeros.
  public let source: Int?
  /// The sections of the source; empty for the whole tensor.
  public let sourceSections: [Section]
  /// The rearrangement of whole axes; `nil` for zeros, and if only ``source`` is known.
  public let rearrangement: Rearrangement?
  /// The permutation of each permuted axis: the source index for each index.
  public let orders: [Axis: [Int]]
  /// The tensor that was added to ``source`` in float32; `nil` if none was.
  public let addend: Int?
  /// The change of the values.
  public let likeness: Likeness

  /// The factors of a multiplication.
  public struct Factors: Sendable, Hashable {
    /// The index of the axis with a factor per element; `nil` for a single factor.
    public let axis: Int?
    /// The factors.
    public let values: [Double]
    /// The normalisation with these factors; `nil` if there is none.
    public let normalization: FoldedNormalization?
    /// The vector of the lengths that the values at each index get, as in weight normalisation; `nil` if there is none.
    public let lengths: Int?

    /// Creates factors, one per index of an axis or a single one.
    public init(
      axis: Int?, values: [Double], normalization: FoldedNormalization?, lengths: Int? = nil
    ) {
      self.axis = axis
      self.values = values
      self.normalization = normalization
      self.lengths = lengths
    }

    /// True if there is a single factor, which is 1 up to rounding.
    public var isRounding: Bool { axis == nil && abs(values[0] - 1) < 1e-6 }
  }

  /// A normalisation folded into a kernel, with the factors `gamma / sqrt(variance + epsilon)`.
  public struct FoldedNormalization: Sendable, Hashable {
    /// The index of gamma in its set.
    public let gamma: Int
    /// The index of the variance in its set.
    public let variance: Int
    /// The epsilon.
    public let epsilon: Double

    /// Creates a normalisation from the tensors' indices.
    public init(gamma: Int, variance: Int, epsilon: Double) {
      self.gamma = gamma
      self.variance = variance
      self.epsilon = epsilon
    }
  }

  /// The terms of a bias into which a normalisation was folded: `beta + (bias - mean) * factor`.
  public struct FoldedBias: Sendable, Hashable {
    /// The index of beta in its set.
    public let beta: Int
    /// The index of the mean in its set.
    public let mean: Int
    /// The index of the bias in its set; `nil` if there was none.
    public let bias: Int?
    /// The normalisation; `nil` if only its factors are known.
    public let normalization: FoldedNormalization?

    /// Creates a folded bias from the tensors' indices.
    public init(beta: Int, mean: Int, bias: Int?, normalization: FoldedNormalization? = nil) {
      self.beta = beta
      self.mean = mean
      self.bias = bias
      self.normalization = normalization
    }
  }

  /// The indices of all source tensors.
  var sources: [Int] {
    var all = [source, addend].compactMap(\.self)
    switch likeness {
    case .scaled(let scale):
      if let normalization = scale.normalization {
        all += [normalization.gamma, normalization.variance]
      }
      all += [scale.lengths].compactMap(\.self)
    case .folded(let bias): all += [bias.mean] + [bias.bias].compactMap(\.self)
    case .exact, .rounded, .truncated, .negated, .shifted, .negatedExponential, .quantized: break
    }
    return all
  }

  /// Creates a part; of zeros if `source` is `nil`.
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

  /// The part with its source renumbered by `places`.
  func naming(_ places: [Int]) -> RelatedPart {
    RelatedPart(
      target: target, source: source.map { places[$0] }, sourceSections: sourceSections,
      rearrangement: rearrangement, orders: orders, addend: addend, likeness: likeness)
  }

  /// The part of another tensor with the same values.
  func of(_ source: Int) -> RelatedPart {
    RelatedPart(
      target: target, source: source, sourceSections: sourceSections,
      rearrangement: rearrangement, orders: orders, addend: addend, likeness: likeness)
  }

  /// The part with another change of its values.
  func changed(_ likeness: Likeness) -> RelatedPart {
    RelatedPart(
      target: target, source: source, sourceSections: sourceSections,
      rearrangement: rearrangement, orders: orders, addend: addend, likeness: likeness)
  }

  /// True if the values are bitwise equal to the source's, except for the sign.
  public var isExact: Bool { likeness == .exact || likeness == .negated }

  /// ``orders`` by the names of the axes in einops.
  public var namedOrders: [String: [Int]] {
    Dictionary(uniqueKeysWithValues: orders.map { ($0.key.lowercased, $0.value) })
  }

  /// The permutation of all values of ``source`` and ``addend``; `nil` if only a section was used.
  public var copy: StridedCopy? {
    guard target.isEmpty, sourceSections.isEmpty else { return nil }
    return rearrangement?.copy(orders: orders)
  }

  /// True if the part is the whole other tensor as it is stored.
  public var isIdentity: Bool {
    isExact && addend == nil && target.isEmpty && sourceSections.isEmpty && orders.isEmpty
      && rearrangement?.copy.isIdentity == true
  }
}

/// The tensor with the most similar distribution of values.
public struct NearestTensor: Sendable {
  /// The index of the tensor in its set.
  public let tensor: Int
  /// The difference of means and standard deviations, relative to the larger standard deviation.
  public let distance: Double
}

/// The relations of two sets of weights.
public struct WeightRelations: Sendable {
  /// The relation of each tensor of the second set, in order.
  public let tensors: [Relation]
  /// The tensors of the first set that none of the second came from, with the most similar tensor.
  public let unused: [(tensor: Int, nearest: NearestTensor?)]
  /// The sizes of axes that are permuted in the second set, according to whole tensors.
  public let movedSizes: Set<Int>
}
