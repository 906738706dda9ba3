import Documents
import ModelIR
import Operators
import Readers

/// What is in a model.
public struct InspectReport: Report {
  /// The name of its schema.
  public static let schema = "inspect"

  /// The reader that read it.
  public let format: String
  /// As it was named.
  public let path: String
  /// What wrote it, if it says so.
  public let framework: String?
  /// What the source calls the model.
  public let name: String
  /// Bytes of all its files.
  public let bytes: Int
  /// In the order in which arrays are fed.
  public let inputs: [Port]
  /// In the order of the source.
  public let outputs: [Port]
  /// Each layer after those it reads.
  public let layers: [LayerRow]
  /// Values in all parameters, shared ones counted once, and those that only training uses.
  public let parameterCount: Int
  /// How many of them only training uses; they are not converted.
  public let trainingOnlyCount: Int
  /// Every tensor, in the order of the layers.
  public let tensors: [TensorRow]
  /// Whether the graph is known; without it there are no inputs, outputs and shapes.
  public let hasGraph: Bool
  /// Why the graph could not be read; `nil` if it was, or if the source holds weights alone.
  public let problem: Problem?
  /// What was read otherwise than it is stored, or what stored values stand for; `nil` if there is nothing to say.
  public let notes: [String]?
  /// What Python would do while it loads the file; `nil` if it holds no pickles.
  public let pickle: PickleReport?
  /// How much there is of each type, the most bytes first; `nil` if all values are plain numbers.
  public let types: [TypeShare]?
  /// What the file says of itself besides its tensors; `nil` if it says nothing.
  public private(set) var metadata: [MetadataRow]?
  /// What a page shows besides; `nil` if none was asked for.
  var details: InspectDetails?

  private enum CodingKeys: String, CodingKey {
    case format
    case path
    case framework
    case name
    case bytes
    case inputs
    case outputs
    case layers
    case parameterCount
    case trainingOnlyCount
    case tensors
    case hasGraph
    case problem
    case notes
    case pickle
    case types
    case metadata
  }

  /// What is in the way of reading a graph.
  public struct Problem: Sendable, Encodable {
    /// The problem, with its file.
    public let message: Message
    /// What it concerns, such as the layers that are not supported.
    public let details: [Message]
  }

  /// An input or output.
  public struct Port: Sendable, Encodable {
    /// Its name.
    public let name: String
    /// Without the batch axis; `null` where unknown.
    public let shape: [Int?]
  }

  /// A layer.
  public struct LayerRow: Sendable, Encodable {
    /// Its name.
    public let name: String
    /// The operator that it is; `nil` without a graph.
    public let `operator`: String?
    /// The class that the source names.
    public let className: String?
    /// What it reads; nothing without a graph.
    public let inputs: [String]
    /// Of the first output, without the batch axis; `null` where unknown; `nil` without a graph.
    public let outputShape: [Int?]?
    /// The outputs behind the first; `nil` if there are none.
    public let furtherOutputs: [Port]?
    /// Values in its parameters, and those that only training uses, as Keras counts.
    public let parameterCount: Int
  }

  /// A tensor.
  public struct TensorRow: Sendable, Encodable {
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
    /// Bytes as stored.
    public let bytes: Int
    /// Where in the source it is.
    public let path: String
    /// What the values are like, if that was asked for.
    public let statistics: TensorStatistics?
  }
}

extension InspectReport {
  init(_ source: ReadSource, statistics: [TensorStatistics]?) {
    self.init(
      source.network, format: source.format, path: source.path, framework: source.framework,
      bytes: source.files.reduce(0) { $0 + $1.size },
      problem: source.problem.map { problem in
        var problem = problem
        let others = source.misfits.filter { $0 != source.problem }
        problem.list += others.map(\.headline)
        return problem
      },
      notes: source.notes, pickle: source.pickles.map(PickleReport.init), statistics: statistics)
    if !source.facts.isEmpty { metadata = source.facts.map(MetadataRow.init) }
  }

  init(
    _ network: Network, format: String, path: String, framework: String?, bytes: Int,
    problem: NetconvError?, notes: [SourceNote] = [], pickle: PickleReport? = nil,
    statistics: [TensorStatistics]?
  ) {
    self.notes = notes.isEmpty ? nil : notes.map(\.line)
    self.pickle = pickle
    self.format = format
    self.path = path
    self.framework = framework
    name = network.name
    self.bytes = bytes
    switch network {
    case .model(let model):
      hasGraph = true
      inputs = model.inputs.map { Port(name: $0.name, shape: $0.shape.dimensions) }
      outputs = model.outputs.map { name in
        Port(name: name, shape: model.shape(of: name)?.dimensions ?? [])
      }
      layers = model.layers.map(LayerRow.init)
      trainingOnlyCount = Self.trainingOnlyCount(model)
    case .weights(let weights):
      hasGraph = false
      inputs = []
      outputs = []
      layers = weights.layers.map(LayerRow.init)
      // Nobody says what they are for.
      trainingOnlyCount = 0
    }
    self.problem = problem.map { error in
      Problem(message: error.inFile(path).headline, details: error.list)
    }
    let parameters = network.tensors
    parameterCount = parameters.reduce(trainingOnlyCount) { $0 + $1.count }
    tensors = parameters.enumerated().map { index, tensor in
      TensorRow(
        layer: tensor.layer, role: tensor.spec.role.rawValue, dtype: tensor.stored.typeName,
        layout: tensor.storedLayout.description, shape: tensor.storedShape,
        bytes: tensor.storedByteCount, path: tensor.stored.path, statistics: statistics?[index])
    }
    types = TypeShare.all(of: parameters)
  }

  /// What the source holds for training only; a layer that is called several times counts once.
  private static func trainingOnlyCount(_ model: Model) -> Int {
    var counts: [String: Int] = [:]
    for layer in model.layers {
      counts[layer.parameters.first?.layer ?? layer.name] = layer.origin?.trainingOnlyCount
    }
    return counts.values.reduce(0, +)
  }
}

extension InspectReport.LayerRow {
  fileprivate init(_ layer: Layer) {
    name = layer.name
    `operator` = type(of: layer.operation).name
    className = layer.origin?.className
    inputs = layer.inputs
    outputShape = layer.outputShape.dimensions
    let further = layer.outputs.dropFirst()
    furtherOutputs =
      further.isEmpty
      ? nil : further.map { InspectReport.Port(name: $0.name, shape: $0.shape.dimensions) }
    parameterCount = layer.parameters.reduce(layer.origin?.trainingOnlyCount ?? 0) {
      $0 + $1.count
    }
  }

  fileprivate init(_ layer: LayerWeights) {
    name = layer.name
    `operator` = nil
    className = layer.origin?.className
    inputs = []
    outputShape = nil
    furtherOutputs = nil
    parameterCount = layer.parameters.reduce(0) { $0 + $1.count }
  }
}
