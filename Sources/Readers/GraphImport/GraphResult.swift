import ModelIR

/// An output of a node, as the builder represents it.
enum GraphResult {
  /// Values from the file, or computed from such values and from shapes.
  case constant(GraphConstant)
  /// A value that depends on the inputs.
  case value(GraphValue)
  /// A single number that is fed, such as a dropout rate.
  case fed(String)
  /// Random numbers, which only training uses.
  case random(GraphRandom)
  /// An unsupported output; an error only if the model's outputs need it.
  case problem(GraphProblem)
}

/// A value of the graph: the output of a drafted layer.
///
/// The shape is that of a sample. In the graph the batch is an additional axis, or it is merged with axes of the
/// sample. A graph without a batch, or with a batch size of 1, may have no such axis.
struct GraphValue {
  /// The location of the batch among the axes of the graph.
  struct BatchPlace: Hashable {
    /// The axis of the graph that contains the batch.
    var axis = 0
    /// The count of sample axes that are merged into this axis before the batch.
    var outer = 0
    /// The count of sample axes that are merged into this axis after the batch.
    var inner = 0

    /// The count of sample axes that are merged with the batch.
    var merged: Int { outer + inner }

    /// The batch alone, as the first axis.
    static let first = BatchPlace()
  }

  /// The index of the draft that computes the value.
  let draft: Int
  /// The shape of a sample, without the batch.
  let shape: Shape
  /// The location of the batch; `nil` if the graph has none here.
  var batch: BatchPlace? = .first

  /// The rank in the graph.
  var rank: Int { shape.rank + (batch.map { 1 - $0.merged } ?? 0) }

  /// The axes of the sample that an axis of the graph consists of, apart from the batch.
  func sampleAxes(_ axis: Int) -> Range<Int> {
    guard let batch, axis >= batch.axis else { return axis..<axis + 1 }
    if axis == batch.axis { return axis..<axis + batch.merged }
    return axis - 1 + batch.merged..<axis + batch.merged
  }

  /// The axis of the sample that an axis of the graph corresponds to.
  ///
  /// - Throws: `badData` if there is no such axis, or it is the batch.
  func sampleAxis(_ axis: Int) throws(NetconvError) -> Int {
    let axis = try resolvedAxis(axis, rank: rank)
    guard axis != batch?.axis else { throw .batchAxis }
    return sampleAxes(axis).lowerBound
  }

  /// The size of an axis of the graph.
  ///
  /// - Throws: `badData` if there is no such axis, it is the batch, or its size is open.
  func size(_ axis: Int) throws(NetconvError) -> Int {
    guard let size = shape.dimensions[try sampleAxis(axis)] else { throw .openSize(shape) }
    return size
  }

  /// The same value with the batch at another location.
  func with(_ batch: BatchPlace?) -> GraphValue {
    GraphValue(draft: draft, shape: shape, batch: batch)
  }
}

/// Random numbers from which a dropout mask is computed.
struct GraphRandom {
  enum Stage {
    /// Numbers from 0 to 1, or shifted by the keep probability.
    case numbers
    /// 1 where a value is kept, else 0.
    case mask
  }

  var stage: Stage
  /// The keep probability, if it is stated.
  var kept: Double?
}

/// The reasons why an output is not supported.
struct GraphProblem {
  /// The errors, each with the node in which it occurred.
  var errors: [NetconvError]

  init(_ error: NetconvError) { errors = [error] }

  /// Merges the problems of several inputs.
  init(joining problems: [GraphProblem]) {
    errors = []
    for error in problems.flatMap(\.errors) where !errors.contains(error) && errors.count < 64 {
      errors.append(error)
    }
  }
}

/// A drafted layer, which becomes a layer of the model if the outputs need it.
struct GraphDraft {
  /// An operator with its inputs and parameters.
  struct Layer {
    var operation: any Operator
    /// The indices of the drafts that it reads, in order.
    var inputs: [Int]
    var parameters: [ParameterRole: Parameter] = [:]
    var axes = Axes.counted(moved: nil)
    /// The bias, if the layer only adds a number to each channel, which a preceding layer can do.
    var bias: GraphConstant?
  }

  /// A constant and its layout.
  struct Parameter {
    let constant: GraphConstant
    var layout: Layout?
  }

  /// The relation between the axes of the graph and those of the layer's operator.
  enum Axes {
    /// The operator is for channels last; the graph is channels first.
    case channelsFirst
    /// The operator has the graph's axes; `moved` is the operator for an array whose first axis was moved to the end.
    case counted(moved: (@Sendable (_ rank: Int) -> any Operator)?)
  }

  enum Content {
    /// An input of the model, by name.
    case input(String)
    case layer(Layer)
    /// A value that no layer computes by itself, with the error.
    case nothing(NetconvError)
  }

  /// The node that returns the value.
  let node: String
  let operation: String
  let shape: Shape
  var content: Content
  /// The value as an elementwise function of others.
  var expression: GraphExpression?
  /// The space-to-batch operation whose result this is.
  var blocked: GraphBlockedValue?
}
