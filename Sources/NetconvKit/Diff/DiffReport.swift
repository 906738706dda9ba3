import ModelIR

/// Two networks to compare, and the settings to use.
public struct DiffRequest: Sendable {
  /// The path of the expected network, in any format that netconv reads.
  public var first: String
  /// The path of the network to compare with it, in any format that netconv reads.
  public var second: String
  /// True to treat values that are equal up to rounding as different.
  public var exact = false
  /// The largest accepted distance of a value, relative to the largest value of its tensor in the first network; by
  /// default, only rounding is accepted.
  public var tolerance: Double?
  /// True to fold normalisations into the preceding kernels first, unless a conversion has done so.
  public var folds = false
  /// Operators that replace layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`; by default those
  /// that the manifest of the other network records.
  public var replacements: [String] = []
  /// Options for reading both, as far as the format of each accepts them.
  public var options = SourceOptions()
  /// Options for reading the second network, which override ``options``.
  public var secondOptions = SourceOptions()
  /// True if the report is to be written as a page.
  public var forPage = false

  /// Creates a request to compare `second` with `first`.
  public init(first: String, second: String) {
    self.first = first
    self.second = second
  }
}

/// The differences between two networks, A and B.
public struct DiffReport: Report {
  /// The name of the report's schema.
  public static let schema = "diff"

  /// The expected network.
  public let a: Source
  /// The network that was compared with it.
  public let b: Source
  /// True if values that are equal up to rounding count as different.
  public let exact: Bool
  /// The largest accepted distance of a value, relative to the largest value of its tensor in A; `nil` if none was
  /// set.
  public let tolerance: Double?
  /// True if the two are equal, subject to the settings.
  public let equal: Bool
  /// Tensors that both networks have, in the order of A.
  public let tensors: [Pair]
  /// Tensors that only A has.
  public let onlyInA: [Tensor]
  /// Tensors that only B has.
  public let onlyInB: [Tensor]
  /// True if both have a graph, so that the graphs were compared.
  public let graphsCompared: Bool
  /// The differences between the graphs.
  public let graph: [GraphDifference]
  /// Remarks for the user that are not differences.
  public internal(set) var notes: [Message]
  /// Details for a page; `nil` if no page was requested.
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

  /// The stage at which normalisations were folded into the preceding kernels.
  public enum Folding: String, Sendable, Encodable {
    /// At the conversion of the network, as its manifest records.
    case recorded
    /// For this comparison.
    case now
  }

  /// A network that was compared.
  public struct Source: Sendable, Encodable {
    /// The path, as given by the caller.
    public let path: String
    /// The reader that was used.
    public let format: String
    /// The program that wrote the network, if it is recorded.
    public let framework: String?
    /// The number of tensors.
    public let tensorCount: Int
    /// The number of arrays that are left out because they are not weights: optimizer state, counters, metrics.
    public let leftOut: Int
    /// The stage at which its normalisations were folded; `nil` if they were not.
    public let folding: Folding?
  }

  /// A tensor of one of the networks.
  public struct Tensor: Sendable, Encodable {
    /// The name in the file.
    public let name: String
    /// The layer that the tensor belongs to.
    public let layer: String
    /// The role of the tensor in the layer.
    public let role: String
    /// The dtype of the stored values.
    public let dtype: String
    /// The order of the axes.
    public let layout: String
    /// The shape in that order.
    public let shape: [Int]
    /// The path of the tensor in the source.
    public let path: String
    /// The content hash, if it was needed.
    public let contentHash: String?

    /// The layer and the role, or the name if the two are equal.
    public var title: String { layer == role ? layer : "\(layer) \(role)" }
  }

  /// The result of comparing two tensors.
  public enum Status: String, Sendable, Encodable {
    /// The values are equal.
    case equal
    /// The values are equal up to rounding to the stored type, or up to the signs of zeros.
    case rounded
    /// The values differ, but within the tolerance.
    case within
    /// The values differ.
    case changed
    /// The axes do not match, so that values cannot be compared.
    case shape
  }

  /// A tensor that both networks have.
  public struct Pair: Sendable, Encodable {
    /// The tensor in A.
    public let a: Tensor
    /// The tensor in B.
    public let b: Tensor
    /// The result of comparing the two.
    public let status: Status
    /// The differences between the values, if they were compared.
    public let difference: Values?

    /// True if B has the tensor under another name.
    public var isRenamed: Bool { a.layer != b.layer || a.role != b.role }
  }

  /// The differences between the values of two tensors.
  public struct Values: Sendable, Encodable {
    /// The number of values in each.
    public let count: Int
    /// The number of values that are not equal.
    public let changed: Int
    /// The largest distance of two finite values; NaN if no two are finite.
    public let maximumAbsolute: Double
    /// The mean distance of finite values; NaN if no two are finite.
    public let meanAbsolute: Double
    /// The largest distance in ULPs of the coarser type; 0 if no two values are finite.
    public let maximumULPs: UInt64
    /// The cosine similarity of the two; `nil` if one of them is zero, if no two values are finite, or if Double
    /// cannot hold the squares.
    public let cosine: Double?
    /// The number of pairs in which at least one value is not finite.
    public let nonFinite: Int
    /// The number of pairs in which only one value is finite, or neither and they differ.
    public let mismatchedNonFinite: Int
    /// The pair with the largest distance, or the first in which only one value is finite; `nil` if all are equal.
    public let worst: ValuePair?
  }

  /// A value in both tensors.
  public struct ValuePair: Sendable, Encodable {
    /// The index along each axis, O first.
    public let indices: [Index]
    /// The index and the value in A.
    public let a: StoredValue
    /// The index and the value in B.
    public let b: StoredValue
  }

  /// An index along an axis.
  public struct Index: Sendable, Encodable {
    /// The letter of the axis.
    public let axis: String
    /// The index.
    public let index: Int
  }

  /// A value in a tensor.
  public struct StoredValue: Sendable, Encodable {
    /// The index of the value in stored order.
    public let index: Int
    /// The value.
    public let value: ReportedNumber
  }
}

/// A number in a report; since JSON has only finite numbers, others are the strings `inf`, `-inf` and `nan`.
public struct ReportedNumber: Sendable, Encodable, Equatable {
  /// The number.
  public let value: Double

  /// Encodes a number, or a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if value.isFinite { try container.encode(value) } else { try container.encode(numeral(value)) }
  }
}

/// A difference between two graphs.
public struct GraphDifference: Sendable, Encodable, Equatable {
  /// The kind of a difference.
  public enum Kind: String, Sendable, Encodable {
    /// Only one of the graphs has the layer.
    case presence
    /// The layers have different operators.
    case `operator`
    /// The layers have different attributes.
    case attribute
    /// The layers have different inputs.
    case inputs
    /// The models have different inputs.
    case modelInputs
    /// The models have different outputs.
    case modelOutputs
  }

  /// The kind of the difference.
  public let kind: Kind
  /// The name of the layer in A, or in B if A has none; `nil` for the model as a whole.
  public let layer: String?
  /// The name of an attribute.
  public let name: String?
  /// The value in A; `nil` for none.
  public let a: String?
  /// The value in B; `nil` for none.
  public let b: String?
}
