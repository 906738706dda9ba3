import ModelIR

/// What two networks are to be compared for.
public struct DiffRequest: Sendable {
  /// Anything that netconv reads: what should be there.
  public var first: String
  /// Anything that netconv reads: what is there.
  public var second: String
  /// Whether values that are equal up to rounding count as different.
  public var exact = false
  /// How far a value may be, as a fraction of the largest of its tensor in the first; by default, no farther than rounding.
  public var tolerance: Double?
  /// Whether normalisations are folded into the kernels before them first, where a conversion has not done so.
  public var folds = false
  /// Operators in the place of layers that one of the two cannot be read with, as `LAYER=OPERATOR(attribute: value, …)`;
  /// by default those that the manifest of the other one says.
  public var replacements: [String] = []
  /// How they are read, as far as the format of each takes it.
  public var options = SourceOptions()
  /// How the second is read, as far as that is another way.
  public var secondOptions = SourceOptions()
  /// Whether the report is to be written as a page.
  public var forPage = false

  /// A comparison of `second` with `first`.
  public init(first: String, second: String) {
    self.first = first
    self.second = second
  }
}

/// In what two networks differ; A is the first of them, B the second.
public struct DiffReport: Report {
  /// The name of its schema.
  public static let schema = "diff"

  /// What was compared with.
  public let a: Source
  /// What was compared.
  public let b: Source
  /// Whether values that are equal up to rounding count as different.
  public let exact: Bool
  /// How far a value may be, as a fraction of the largest of its tensor in A; `nil` if no such distance was allowed.
  public let tolerance: Double?
  /// Whether the two are equal, as far as was asked.
  public let equal: Bool
  /// Tensors that both have, in the order of A.
  public let tensors: [Pair]
  /// Tensors that B does not have.
  public let onlyInA: [Tensor]
  /// Tensors that A does not have.
  public let onlyInB: [Tensor]
  /// Whether both have a graph, so that these were compared.
  public let graphsCompared: Bool
  /// In what the graphs differ.
  public let graph: [GraphDifference]
  /// What a reader should know, and no difference.
  public internal(set) var notes: [Message]
  /// What a page shows besides; `nil` if none was asked for.
  var details: DiffDetails?

  private enum CodingKeys: String, CodingKey {
    case a
    case b
    case exact
    case tolerance
    case equal
    case tensors
    case onlyInA
    case onlyInB
    case graphsCompared
    case graph
    case notes
  }

  /// When normalisations were folded into the kernels before them.
  public enum Folding: String, Sendable, Encodable {
    /// When the network was converted, as its manifest records.
    case recorded
    /// For this comparison.
    case now
  }

  /// A network that was compared.
  public struct Source: Sendable, Encodable {
    /// As it was named.
    public let path: String
    /// The reader that read it.
    public let format: String
    /// What wrote it, if it says so.
    public let framework: String?
    /// How many tensors it has.
    public let tensorCount: Int
    /// How many arrays of it are no weights, and left out: what an optimizer keeps, counters, metrics.
    public let leftOut: Int
    /// When its normalisations were folded; `nil` if they were not.
    public let folding: Folding?
  }

  /// A tensor of one of the networks.
  public struct Tensor: Sendable, Encodable {
    /// What its file calls it.
    public let name: String
    /// The layer that it belongs to.
    public let layer: String
    /// What it is to the layer.
    public let role: String
    /// How values are stored.
    public let dtype: String
    /// The order of the axes.
    public let layout: String
    /// The shape in that order.
    public let shape: [Int]
    /// Where in the source it is.
    public let path: String
    /// The content hash, if it was needed.
    public let contentHash: String?

    /// Layer and role, or the name where nothing tells these apart.
    public var title: String { layer == role ? layer : "\(layer) \(role)" }
  }

  /// What a comparison of two tensors came to.
  public enum Status: String, Sendable, Encodable {
    /// The same values.
    case equal
    /// The same values up to rounding to the stored type, or up to the signs of zeros.
    case rounded
    /// Other values, none farther than is allowed.
    case within
    /// Other values.
    case changed
    /// Axes that do not fit, so that no value belongs to another.
    case shape
  }

  /// A tensor that both have.
  public struct Pair: Sendable, Encodable {
    /// As A has it.
    public let a: Tensor
    /// As B has it.
    public let b: Tensor
    /// What came of it.
    public let status: Status
    /// By how much they differ, where values were compared.
    public let difference: Values?

    /// Whether B has it under another name.
    public var isRenamed: Bool { a.layer != b.layer || a.role != b.role }
  }

  /// By how much the values of two tensors differ.
  public struct Values: Sendable, Encodable {
    /// Values of each.
    public let count: Int
    /// How many of them are not equal.
    public let changed: Int
    /// The largest distance of two that are finite; not a number if no two are.
    public let maximumAbsolute: Double
    /// The mean distance of those that are finite; not a number if there are none.
    public let meanAbsolute: Double
    /// The largest distance, in steps from one number to the next of the coarser type; 0 if no two are finite.
    public let maximumULPs: UInt64
    /// The cosine of the angle between both; `nil` if one of them is zero, if no two are finite, or if Double cannot
    /// hold the squares.
    public let cosine: Double?
    /// Pairs of which at least one is not finite.
    public let nonFinite: Int
    /// Pairs of which only one is finite, or of unlike infinities.
    public let mismatchedNonFinite: Int
    /// The pair that is farthest apart, or the first of which only one is finite; `nil` if all are equal.
    public let worst: ValuePair?
  }

  /// A value in both tensors.
  public struct ValuePair: Sendable, Encodable {
    /// The index along each axis, O first.
    public let indices: [Index]
    /// Where it is in A, and what.
    public let a: StoredValue
    /// Where it is in B, and what.
    public let b: StoredValue
  }

  /// An index along an axis.
  public struct Index: Sendable, Encodable {
    /// The axis, a letter.
    public let axis: String
    /// The index.
    public let index: Int
  }

  /// A value in a tensor.
  public struct StoredValue: Sendable, Encodable {
    /// Its index in the order in which the tensor is stored.
    public let index: Int
    /// The value.
    public let value: ReportedNumber
  }
}

/// A number of a report; JSON has none that are not finite, so that these are texts: `inf`, `-inf`, `nan`.
public struct ReportedNumber: Sendable, Encodable, Equatable {
  /// The number.
  public let value: Double

  /// Writes a number, or a text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if value.isFinite { try container.encode(value) } else { try container.encode(numeral(value)) }
  }
}

/// In what two graphs differ at one place.
public struct GraphDifference: Sendable, Encodable, Equatable {
  /// What differs.
  public enum Kind: String, Sendable, Encodable {
    /// One of them has no such layer.
    case presence
    /// The layers compute different things.
    case `operator`
    /// The layers have different settings.
    case attribute
    /// The layers read different layers.
    case inputs
    /// The models take different arrays.
    case modelInputs
    /// The models give different arrays.
    case modelOutputs
  }

  /// What differs.
  public let kind: Kind
  /// The layer as A calls it, or B if A has none; `nil` for the model as a whole.
  public let layer: String?
  /// The name of an attribute.
  public let name: String?
  /// What is in A; `nil` for nothing.
  public let a: String?
  /// What is in B; `nil` for nothing.
  public let b: String?
}
