import ModelIR

/// Two sets of weights to relate.
public struct RelateRequest: Sendable {
  /// The path of A, in any format that netconv reads, with or without a graph.
  public var first: String
  /// The path of B, whose values came from A, in any format that netconv reads, with or without a graph.
  public var second: String
  /// Options for reading both, as far as the format of each accepts them.
  public var options = SourceOptions()
  /// Options for reading B, which override ``options``.
  public var secondOptions = SourceOptions()
  /// The path of a map to write, with rules that make tensors like those of B from other weights like A; `nil` for
  /// none.
  ///
  /// `convert` applies it; see ``ConvertRequest/map``.
  public var map: String?
  /// The path of a rules file to write, which makes tensors like those of B from other weights like A; `nil` for none.
  ///
  /// `convert` applies it; see ``RuleRequest``.
  public var rules: String?
  /// The folders of adapters that are merged into A first.
  public var adapters: [String] = []
  /// True if an earlier map or rules file may be replaced.
  public var force = false
  /// The consumer of B; by default the one that B states.
  public var target: String?
  /// The convention of A's names and layouts if it has no graph: `torch`, `mlx`, `tensorflow` or `keras`; `nil` to
  /// detect it.
  public var convention: String?
  /// True if the report is to be written as a page, which also has the graphs.
  public var forPage = false

  /// Creates a request to relate `second` to `first`.
  public init(first: String, second: String) {
    self.first = first
    self.second = second
  }
}

/// The tensors of A that each tensor of B was made from, with the rearrangements between them.
public struct RelateReport: Report {
  /// The name of the report's schema.
  public static let schema = "relate"

  /// The weights that values came from.
  public let a: Source
  /// The weights that values were written to.
  public let b: Source
  /// True if the values of every tensor of B are in A, and those of every tensor of A in B.
  ///
  /// Of quantised tensors, the codes have to exclude other values than those of A.
  public let complete: Bool
  /// Tensors of B whose values differ from those in A by sign, or by a factor that nothing in A explains.
  public let changed: [String]
  /// The map that was written; `nil` if none was requested.
  public let map: Map?
  /// The rules file that was written; `nil` if none was requested.
  public internal(set) var rules: Rules?
  /// The consumer of B; `nil` if it is unknown.
  public let consumer: Consumer?
  /// The targets that accept the layouts of B, if its consumer is unknown; empty if the meaning of its axes is
  /// unknown.
  public let fittingTargets: [String]
  /// The tensors of B, in its order.
  public let tensors: [Entry]
  /// Tensors of A that no tensor of B was made from.
  public let unused: [Unused]
  /// Tensors of A whose names are exchanged in B; `nil` if there are none.
  public internal(set) var exchanged: Exchanged?
  /// Tensors that were joined or split in an order other than their names say; `nil` if there are none.
  public internal(set) var misordered: [Misordered]?
  /// Tensors of B that were made otherwise than their siblings; `nil` if there are none.
  public internal(set) var odd: [Odd]?
  /// The quantised tensors of B; `nil` if none was made from other values.
  public let quantized: QuantizedTensors?
  /// The numbers of tensors that were compared by more than values.
  public let judged: Judged
  /// Details for a page; `nil` if no page was requested.
  var details: RelateDetails?

  private enum CodingKeys: String, CodingKey {
    case a
    case b
    case complete
    case changed
    case map
    case rules
    case consumer
    case fittingTargets
    case tensors
    case unused
    case exchanged
    case misordered
    case odd
    case quantized
    case judged
  }

  /// True if every tensor of B has the layout that its consumer expects; if the consumer was not requested, every
  /// tensor that can be judged.
  public var isRightForConsumer: Bool {
    guard let consumer else { return true }
    return consumer.mistakeCount == 0 && (consumer.basis != .asked || consumer.notJudged.isEmpty)
  }

  /// Tensors whose values are stored in B under each other's names.
  public struct Exchanged: Sendable, Encodable {
    /// A tensor of A, and the tensor of B that has its values.
    public struct Pair: Sendable, Encodable {
      /// The name in A.
      public let a: String
      /// The name in B.
      public let b: String
    }

    /// The tensors whose names are exchanged: the first has the name of the second in B, and the last that of the
    /// first.
    public let cycles: [[Pair]]
    /// True if the exchange is a mistake.
    ///
    /// A consumer was requested, all names of B are names of A, or the names of several tensors differ in one word
    /// alone, and B has these words for each other's values.
    public let isMistake: Bool

    /// The number of tensors in all cycles.
    package var count: Int { cycles.joined().count }
  }

  /// A tensor whose parts are stored in an order other than its name says.
  public struct Misordered: Sendable, Encodable {
    /// The set of weights that contains the tensor.
    public enum Side: String, Sendable, Encodable {
      /// A, whose tensor was split.
      case a
      /// B, whose tensor was joined.
      case b
    }

    /// The name of the tensor.
    public let name: String
    /// The set of weights that contains it.
    public let side: Side
    /// The tensors of the other set that are its parts, in stored order.
    public let parts: [String]
    /// The same tensors in the order of the name: `qkv` is queries, keys and values.
    public let named: [String]
  }

  /// A tensor of B that was made otherwise than its siblings, whose names differ from its own in numbers alone.
  public struct Odd: Sendable, Encodable {
    /// The name of the tensor.
    public let name: String
    /// A description of its parts.
    public let found: String
    /// A description of the parts that the siblings have, or the tensor of A that it would be by their rule.
    public let expected: String
    /// The number of siblings that obey the rule.
    public let siblings: Int
    /// The number of siblings that do not, including the tensor itself.
    public let others: Int
  }

  /// A map that was written.
  public struct Map: Sendable, Encodable {
    /// The path of the map.
    public let path: String
    /// The number of tensors that the map makes.
    public let made: Int
    /// The number of tensors with a source chosen by name, because values do not determine it.
    public let named: Int
    /// Tensors with several candidates or orders, from which a person has to choose first.
    public let undecided: [String]
    /// Tensors of B that the map does not make.
    public let unrelated: [String]
  }

  /// The consumer of B.
  public struct Consumer: Sendable, Encodable {
    /// The evidence for a consumer.
    public enum Basis: String, Sendable, Encodable {
      /// The caller requested it.
      case asked
      /// B states its layouts, as files with a graph do.
      case layouts
      /// B is a file in the format of that framework.
      case format
    }

    /// The name of a target, or `B` if B states its layouts but no target.
    public let name: String
    /// The evidence that it is the consumer.
    public let basis: Basis
    /// The number of tensors with the layout that the consumer expects.
    public let rightCount: Int
    /// The number of tensors with another layout; tensors that cannot be judged are in neither count.
    public let mistakeCount: Int
    /// The tensors that cannot be judged: the meaning of their axes is unknown, or they were made from several
    /// tensors.
    public let notJudged: [String]
    /// Kernels of A that cannot be what their names say, by the lengths of their biases or normalisations; other
    /// kernels of the same rank, without such evidence, were not judged either.
    public let contradicted: [String]
  }

  /// A rearrangement of a tensor that is not the one that its consumer needs.
  public struct Mistake: Sendable, Encodable, Hashable {
    /// The kind of mistake.
    public enum Kind: String, Sendable, Encodable {
      /// No rearrangement: the tensor has the layout of A.
      case notMoved
      /// The right rearrangement, applied twice.
      case movedTwice
      /// A rearrangement of a tensor that needed none.
      case movedNeedlessly
      /// The right rearrangement, but without reordering gates.
      case gateOrder
      /// The right rearrangement, but without reordering the axes that a flatten has merged.
      case flattenOrder
      /// Another rearrangement.
      case otherOrder
      /// One of two biases of a recurrent layer, where the consumer has one bias, their sum.
      case notSummed
    }

    /// The kind of mistake.
    public let kind: Kind
    /// The order of axes in A.
    public let sourceLayout: String
    /// The order of axes that the consumer expects.
    public let layout: String
    /// The shape in that order.
    public let shape: [Int]
    /// The right rearrangement of the tensor of A, in einops notation.
    public let pattern: String
    /// The sizes that einops needs to split axes.
    public let sizes: [String: Int]
    /// Axes that the consumer expects in reversed order.
    public let reversed: [String]
    /// The order of gates that the consumer expects, a letter for each; `nil` if they are not reordered.
    public let gates: String?
  }

  /// A set of weights.
  public struct Source: Sendable, Encodable {
    /// The path, as given by the caller.
    public let path: String
    /// The reader that was used.
    public let format: String
    /// The program that wrote it, if it is recorded.
    public let framework: String?
    /// The number of tensors.
    public let tensorCount: Int
    /// The number of arrays that are left out because they are not weights: optimizer state, counters, metrics.
    public let leftOut: Int
  }

  /// A tensor of A or B.
  public struct Tensor: Sendable, Encodable {
    /// The name in the source.
    public let name: String
    /// The dtype of the stored array.
    public let dtype: String
    /// The shape of the stored array.
    public let shape: [Int]
  }

  /// The relation of a tensor to A.
  public enum Status: String, Sendable, Encodable {
    /// Its values came from the listed parts.
    case related
    /// Its values match each of the listed parts, and do not determine which it is.
    case undetermined
    /// Its values came from the listed parts, except for a few.
    case nearly
    /// Its values are not in A.
    case unrelated
  }

  /// A tensor of B.
  public struct Entry: Sendable, Encodable {
    /// The tensor.
    public let tensor: Tensor
    /// The relation of the tensor to A.
    public let status: Status
    /// The reason why values do not determine the parts: `constant`, `tied`, `symmetric` or `orders`; `nil` if they
    /// do.
    public let ambiguity: String?
    /// The parts that the tensor was made from.
    ///
    /// If it is undetermined, they are possible ones: all parts, in uncertain orders, if the ambiguity is `orders`;
    /// otherwise alternatives.
    public let parts: [Part]
    /// The order of the parts, if they repeat: `3 tensors in 8 groups`.
    public let meaning: String?
    /// The values that differ from those of its parts; `nil` unless there are a few.
    public let others: OtherValues?
    /// The tensor of A that is most similar to an unrelated tensor; `nil` if none has the same number of values.
    public let nearest: Nearest?
    /// The rearrangement that its consumer needs; `nil` if the layout is right, or cannot be judged.
    public let mistake: Mistake?
  }

  /// A few values that differ from those that a tensor was made from.
  public struct OtherValues: Sendable, Encodable {
    /// The number of values.
    public let count: Int
    /// The index of the first of them along each axis.
    public let place: [Int]
    /// The part of the tensor that contains all of them; empty if they are all over it.
    public let within: [Section]
    /// The value at that index.
    public let value: ReportedNumber
    /// The expected value.
    public let expected: ReportedNumber
  }

  /// A range of indices along an axis.
  public struct Section: Sendable, Encodable {
    /// The index of the axis in the shape.
    public let axis: Int
    /// The first index.
    public let start: Int
    /// The index after the last.
    public let end: Int
    /// The distance of two indices: 1 for all of them, 2 for every other one.
    public let step: Int
  }

  /// The origin of a tensor of B, or of a part of it.
  public struct Part: Sendable, Encodable {
    /// The tensor of A; `nil` for zeros that were inserted.
    public let source: Tensor?
    /// The part of the tensor of B; empty for all of it.
    public let to: [Section]
    /// The part of the tensor of A; empty for all of it.
    public let from: [Section]
    /// The rearrangement in einops notation; `nil` for zeros, and if only the source is known.
    public let pattern: String?
    /// The sizes that einops needs to split axes.
    public let sizes: [String: Int]
    /// Axes along which values are reversed.
    public let reversed: [String]
    /// The permutations along axes: for each index, the index that its values came from.
    public let orders: [String: [Int]]
    /// The tensor of A that was added to the source in float32; `nil` if there is none.
    public let addend: Tensor?
    /// True if the bits of all values are equal, except for the sign.
    public let exact: Bool
    /// The change of the values, if there is any: `rounded to float16`, `negated`, `times 2`.
    public let change: String?
    /// A description of the rearrangement.
    public let summary: String
    /// The purpose of the rearrangement, if it is one that ports often need: `rotary order of 32 heads, halves to pairs`.
    public let meaning: String?
  }

  /// The tensor with the most similar distribution of values.
  public struct Nearest: Sendable, Encodable {
    /// The tensor.
    public let tensor: Tensor
    /// The distance between means and standard deviations, relative to the larger standard deviation.
    public let distance: Double
  }

  /// A tensor of A that no tensor of B was made from.
  public struct Unused: Sendable, Encodable {
    /// The tensor.
    public let tensor: Tensor
    /// The most similar tensor of B; `nil` if none has the same number of values.
    public let nearest: Nearest?
  }
}
