import ModelIR

/// Two sets of weights that are to be related.
public struct RelateRequest: Sendable {
  /// Anything that netconv reads, with or without a graph: where values came from.
  public var first: String
  /// Anything that netconv reads, with or without a graph: where they went.
  public var second: String
  /// How they are read, as far as the format of each takes it.
  public var options = SourceOptions()
  /// How the second is read, as far as that is another way.
  public var secondOptions = SourceOptions()
  /// Where a rule is written that makes tensors like those of B of other weights like A; `nil` for none.
  ///
  /// `convert` does what it says; see ``ConvertRequest/map``.
  public var map: String?
  /// Whether an earlier map may be replaced.
  public var force = false
  /// The consumer that reads B; by default what B says of it.
  public var target: String?
  /// Whose names and layouts A has, if it has no graph: `torch`, `mlx`, `tensorflow` or `keras`; `nil` if it tells.
  public var convention: String?
  /// Whether the report is to be written as a page, which has the graphs as well.
  public var forPage = false

  /// The relation of `second` to `first`.
  public init(first: String, second: String) {
    self.first = first
    self.second = second
  }
}

/// Which tensor of B is which of A, and by which rearrangement.
public struct RelateReport: Report {
  /// The name of its schema.
  public static let schema = "relate"

  /// Where values came from.
  public let a: Source
  /// Where they went.
  public let b: Source
  /// Whether the values of every tensor of B are in A, and those of every tensor of A in B.
  public let complete: Bool
  /// Tensors of B whose values have another sign than in A, or a factor that nothing in A accounts for.
  public let changed: [String]
  /// What became of the map; `nil` if none was asked for.
  public let map: Map?
  /// Who reads B; `nil` if nobody says.
  public let consumer: Consumer?
  /// The targets that take B as it lies, where nobody says who reads it; empty if nobody says what its axes are.
  public let fittingTargets: [String]
  /// The tensors of B, in its order.
  public let tensors: [Entry]
  /// Tensors of A that no tensor of B came from.
  public let unused: [Unused]
  /// Tensors of A that have each other's names in B; `nil` if none have.
  public internal(set) var exchanged: Exchanged?
  /// Tensors that were joined or cut in another order than their names say; `nil` if none were.
  public internal(set) var misordered: [Misordered]?
  /// What a page shows besides; `nil` if none was asked for.
  var details: RelateDetails?

  private enum CodingKeys: String, CodingKey {
    case a
    case b
    case complete
    case changed
    case map
    case consumer
    case fittingTargets
    case tensors
    case unused
    case exchanged
    case misordered
  }

  /// Whether every tensor of B lies as its consumer takes it; where nobody asked for that consumer, every one that can be
  /// judged.
  public var isRightForConsumer: Bool {
    guard let consumer else { return true }
    return consumer.mistakeCount == 0 && (consumer.basis != .asked || consumer.notJudged.isEmpty)
  }

  /// Tensors whose values lie in B under each other's names.
  public struct Exchanged: Sendable, Encodable {
    /// A tensor of A, and the tensor of B that has its values.
    public struct Pair: Sendable, Encodable {
      /// What A calls it.
      public let a: String
      /// What B calls it.
      public let b: String
    }

    /// Those that changed places with each other: the first has the name of the second in B, and the last that of the first.
    public let cycles: [[Pair]]
    /// Whether that is a mistake: somebody asked for a consumer, all names of B are names of A, or the names of several
    /// tensors differ in one word alone, and B has these words for each other's values.
    public let isMistake: Bool

    /// The number of tensors in all cycles.
    package var count: Int { cycles.joined().count }
  }

  /// A tensor whose parts lie in another order than its name says.
  public struct Misordered: Sendable, Encodable {
    /// Which of the two sets of weights has it.
    public enum Side: String, Sendable, Encodable {
      /// The first, whose tensor was cut.
      case a
      /// The second, whose tensor was joined.
      case b
    }

    /// What it is called.
    public let name: String
    /// Which of the two has it.
    public let side: Side
    /// The tensors of the other one that its parts are, in the order in which they lie.
    public let parts: [String]
    /// The same in the order of its name: `qkv` is queries, keys and values.
    public let named: [String]
  }

  /// A map that was written.
  public struct Map: Sendable, Encodable {
    /// Where it is.
    public let path: String
    /// How many tensors it makes.
    public let made: Int
    /// How many of those it takes by their names, since values do not tell which they are.
    public let named: Int
    /// Tensors whose candidates or orders a person has to choose first.
    public let undecided: [String]
    /// Tensors of B that it does not make.
    public let unrelated: [String]
  }

  /// Who reads B.
  public struct Consumer: Sendable, Encodable {
    /// Why it is taken for that.
    public enum Basis: String, Sendable, Encodable {
      /// It was asked for.
      case asked
      /// B states its layouts, as files with a graph do.
      case layouts
      /// B is a file of that framework.
      case format
    }

    /// A target; `B` where that states its layouts, and nobody says for whom.
    public let name: String
    /// Why it is taken for that.
    public let basis: Basis
    /// How many tensors lie as it takes them.
    public let rightCount: Int
    /// How many do not; those that cannot be judged are in neither number.
    public let mistakeCount: Int
    /// The tensors that cannot be judged: nobody says what their axes are, or they are made of several.
    public let notJudged: [String]
    /// Kernels of A that cannot be what their names say, by the lengths of their biases or normalisations: as many axes
    /// have others that nothing tells of, so that these were not judged either.
    public let contradicted: [String]
  }

  /// How a tensor was moved, where its consumer wants another move.
  public struct Mistake: Sendable, Encodable, Hashable {
    /// What was done.
    public enum Kind: String, Sendable, Encodable {
      /// Nothing: it lies as it did in A.
      case notMoved
      /// The right move, two times.
      case movedTwice
      /// It lay as the consumer takes it, and was moved.
      case movedNeedlessly
      /// The right move, but gates stayed in their order.
      case gateOrder
      /// The right move, but what a flatten has merged stayed in its order.
      case flattenOrder
      /// Another move.
      case otherOrder
      /// One of two biases of a recurrent layer, and the consumer has one bias there, their sum.
      case notSummed
    }

    /// What was done.
    public let kind: Kind
    /// The order of axes in A.
    public let sourceLayout: String
    /// The order that the consumer takes.
    public let layout: String
    /// The shape in that order.
    public let shape: [Int]
    /// The right move of the tensor of A, in einops notation.
    public let pattern: String
    /// The sizes that einops needs to split axes.
    public let sizes: [String: Int]
    /// Axes that the consumer takes in reversed order.
    public let reversed: [String]
    /// The order of gates that the consumer takes, a letter for each; `nil` if they stay in theirs.
    public let gates: String?
  }

  /// A set of weights.
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
  }

  /// A tensor of one of the two.
  public struct Tensor: Sendable, Encodable {
    /// What the source calls it.
    public let name: String
    /// How values are stored.
    public let dtype: String
    /// The shape of the stored array.
    public let shape: [Int]
  }

  /// What is known of a tensor.
  public enum Status: String, Sendable, Encodable {
    /// Its values came from the parts that are listed.
    case related
    /// Its values fit each of the parts that are listed, and do not tell which it is.
    case undetermined
    /// It was made of the parts that are listed, but for a few values that are others.
    case nearly
    /// Its values are not in A.
    case unrelated
  }

  /// A tensor of B.
  public struct Entry: Sendable, Encodable {
    /// The tensor.
    public let tensor: Tensor
    /// What is known of it.
    public let status: Status
    /// Why values do not tell what it is: `constant`, `tied`, `symmetric` or `orders`; `nil` if they do.
    public let ambiguity: String?
    /// What it was made of; of an undetermined tensor, what it may have been made of: all parts in orders that are not
    /// sure, if the ambiguity is `orders`, else one of them.
    public let parts: [Part]
    /// The values that are not those of its parts; `nil` unless there are a few.
    public let others: OtherValues?
    /// What an unrelated tensor is most like; `nil` if nothing in A has as many values.
    public let nearest: Nearest?
    /// How it should lie for its consumer; `nil` if it does, or if that cannot be judged.
    public let mistake: Mistake?
  }

  /// A few values that are not those of what a tensor was made of.
  public struct OtherValues: Sendable, Encodable {
    /// How many there are.
    public let count: Int
    /// The index of the first of them along each axis.
    public let place: [Int]
    /// The value there.
    public let value: ReportedNumber
    /// What it should be.
    public let expected: ReportedNumber
  }

  /// A range of places of an axis.
  public struct Section: Sendable, Encodable {
    /// The axis, by its place in the shape.
    public let axis: Int
    /// The first place.
    public let start: Int
    /// The place behind the last.
    public let end: Int
  }

  /// What a tensor of B, or a part of it, was made of.
  public struct Part: Sendable, Encodable {
    /// The tensor of A; `nil` for zeros that were put there.
    public let source: Tensor?
    /// Which places of the tensor of B it is; empty for all.
    public let to: [Section]
    /// Which places of the tensor of A it is; empty for all.
    public let from: [Section]
    /// How axes were moved, in einops notation; `nil` for zeros, and where only the source is known.
    public let pattern: String?
    /// The sizes that einops needs to split axes.
    public let sizes: [String: Int]
    /// Axes along which values lie in reversed order.
    public let reversed: [String]
    /// The order of the places of axes that have another: for each place, the one that it came from.
    public let orders: [String: [Int]]
    /// The tensor of A that was added to the source in float32; `nil` if nothing was.
    public let addend: Tensor?
    /// Whether values have the same bits, but for the sign.
    public let exact: Bool
    /// What was done to the values, if anything was: `rounded to float16`, `negated`, `times 2`.
    public let change: String?
    /// The rearrangement in words.
    public let summary: String
  }

  /// The tensor whose values are distributed most alike.
  public struct Nearest: Sendable, Encodable {
    /// The tensor.
    public let tensor: Tensor
    /// How far means and standard deviations are apart, as a part of the larger standard deviation.
    public let distance: Double
  }

  /// A tensor of A that nothing came from.
  public struct Unused: Sendable, Encodable {
    /// The tensor.
    public let tensor: Tensor
    /// What it is most like; `nil` if nothing in B has as many values.
    public let nearest: Nearest?
  }
}
