import ModelIR

/// What an output of a node is to the model.
enum GraphResult {
  /// Values that the file holds, or that follow from such values and from shapes.
  case constant(GraphConstant)
  /// Something that is computed of what is fed.
  case value(GraphValue)
  /// A single number that is fed, such as a rate of dropout.
  case fed(String)
  /// Random numbers, which only training uses.
  case random(GraphRandom)
  /// Something that is not read; an error only if the outputs need it.
  case problem(GraphProblem)
}

/// A value of the graph: the output of a layer to be, as the graph sees it.
///
/// The shape is that of a sample. The graph has the batch besides, as an axis of its own, or merged with axes of the
/// sample behind it; a graph without a batch, or one whose batch is of size 1, may have it nowhere.
struct GraphValue {
  /// The place of the batch among the axes that the graph sees.
  struct BatchPlace: Hashable {
    /// The axis of the graph that counts the batch.
    var axis = 0
    /// The number of axes of the sample that the graph has merged with it, in front of the batch.
    var outer = 0
    /// The number of axes of the sample that the graph has merged with it, behind the batch.
    var inner = 0

    /// The number of axes of the sample that are merged with the batch.
    var merged: Int { outer + inner }

    /// The batch as an axis of its own, the first.
    static let first = BatchPlace()
  }

  /// The draft that computes it.
  let draft: Int
  /// Without the batch.
  let shape: Shape
  /// The place of the batch; `nil` if the graph has none there.
  var batch: BatchPlace? = .first

  /// The number of axes that the graph sees.
  var rank: Int { shape.rank + (batch.map { 1 - $0.merged } ?? 0) }

  /// The axes of the sample that an axis of the graph is, besides the batch.
  func sampleAxes(_ axis: Int) -> Range<Int> {
    guard let batch, axis >= batch.axis else { return axis..<axis + 1 }
    if axis == batch.axis { return axis..<axis + batch.merged }
    return axis - 1 + batch.merged..<axis + batch.merged
  }

  /// The axis of the sample that an axis of the graph is.
  ///
  /// - Throws: `badData` if there is no such axis, or it counts the batch.
  func sampleAxis(_ axis: Int) throws(NetconvError) -> Int {
    let axis = try resolvedAxis(axis, rank: rank)
    guard axis != batch?.axis else { throw .batchAxis }
    return sampleAxes(axis).lowerBound
  }

  /// The size of an axis of the graph.
  ///
  /// - Throws: `badData` if there is no such axis, it counts the batch, or its size is open.
  func size(_ axis: Int) throws(NetconvError) -> Int {
    guard let size = shape.dimensions[try sampleAxis(axis)] else { throw .openSize(shape) }
    return size
  }

  /// The same with the batch elsewhere.
  func with(_ batch: BatchPlace?) -> GraphValue {
    GraphValue(draft: draft, shape: shape, batch: batch)
  }
}

/// Random numbers on their way to a mask of dropout.
struct GraphRandom {
  enum Stage {
    /// Numbers from 0 to 1, or shifted by the share that is kept.
    case numbers
    /// 1 where a value is kept, else 0.
    case mask
  }

  var stage: Stage
  /// The share of values that is kept, if it is stated.
  var kept: Double?
}

/// Why something is not read.
struct GraphProblem {
  /// Each with the node where it began.
  var errors: [NetconvError]

  init(_ error: NetconvError) { errors = [error] }

  /// The problems of several inputs.
  init(joining problems: [GraphProblem]) {
    errors = []
    for error in problems.flatMap(\.errors) where !errors.contains(error) && errors.count < 64 {
      errors.append(error)
    }
  }
}

/// A layer to be: it is one if the outputs need it.
struct GraphDraft {
  /// What is computed.
  struct Layer {
    var operation: any Operator
    /// Drafts, in order.
    var inputs: [Int]
    var parameters: [ParameterRole: Parameter] = [:]
    var axes = Axes.counted(moved: nil)
    /// Whether it only adds a number to each channel, which a layer before it can do.
    var bias: GraphConstant?
  }

  /// A constant, and how its axes lie.
  struct Parameter {
    let constant: GraphConstant
    var layout: Layout?
  }

  /// How the layer takes the axes of what it reads.
  enum Axes {
    /// The operation is the one for channels last; the graph has them first.
    case channelsFirst
    /// As the operation counts them; `moved` is the operation for an array whose first axis has become the last.
    case counted(moved: (@Sendable (_ rank: Int) -> any Operator)?)
  }

  enum Content {
    /// An input of the model, of this name.
    case input(String)
    case layer(Layer)
    /// No layer computes it by itself.
    case nothing(NetconvError)
  }

  /// The node that gives it.
  let node: String
  let operation: String
  let shape: Shape
  var content: Content
  /// How each value follows from those at the same place.
  var expression: GraphExpression?
  /// The value that was dealt out to samples, of one that is.
  var dealing: GraphBlocks?
}
