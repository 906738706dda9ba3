import Documents
import ModelIR
import Operators
import Readers

/// The contents of a model.
public struct InspectReport: Report {
  /// The name of the report's schema.
  public static let schema = "inspect"

  /// The reader that was used.
  public let format: String
  /// The path, as given by the caller.
  public let path: String
  /// The program that wrote the source, if it is recorded.
  public let framework: String?
  /// The name of the model in the source.
  public let name: String
  /// The size of all its files in bytes.
  public let bytes: Int
  /// The inputs, in the order in which they are fed.
  public let inputs: [Port]
  /// The outputs, in the order of the source.
  public let outputs: [Port]
  /// The layers, each after its inputs.
  public let layers: [LayerRow]
  /// The number of values in all parameters, including those used only in training; shared parameters count once.
  public let parameterCount: Int
  /// The number of values used only in training; they are not converted.
  public let trainingOnlyCount: Int
  /// All tensors, in the order of the layers.
  public let tensors: [TensorRow]
  /// True if the graph is known; without it there are no inputs, outputs and shapes.
  public let hasGraph: Bool
  /// The problem that prevented reading the graph; `nil` if it was read, or if the source holds only weights.
  public let problem: Problem?
  /// Notes on values that were changed on reading, or on the meaning of stored values; `nil` if there are none.
  public let notes: [String]?
  /// The operations that Python would perform to load the file; `nil` if it contains no pickles.
  public let pickle: PickleReport?
  /// The share of each type, the largest in bytes first; `nil` if all tensors have ordinary element types.
  public let types: [TypeShare]?
  /// The metadata of the file; `nil` if it has none.
  public private(set) var metadata: [MetadataRow]?
  /// Details for a page; `nil` if no page was requested.
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

  /// A problem that prevents reading a graph.
  public struct Problem: Sendable, Encodable {
    /// The problem, with its file.
    public let message: Message
    /// Items that it concerns, such as unsupported layers.
    public let details: [Message]
  }

  /// An input or output.
  public struct Port: Sendable, Encodable {
    /// The name of the input or output.
    public let name: String
    /// The shape without the batch axis; unknown sizes are `null`.
    public let shape: [Int?]
  }

  /// A layer.
  public struct LayerRow: Sendable, Encodable {
    /// The name of the layer.
    public let name: String
    /// The operator of the layer; `nil` without a graph.
    public let `operator`: String?
    /// The class name in the source.
    public let className: String?
    /// The inputs of the layer; empty without a graph.
    public let inputs: [String]
    /// The shape of the first output, without the batch axis; unknown sizes are `null`; `nil` without a graph.
    public let outputShape: [Int?]?
    /// The outputs after the first; `nil` if there are none.
    public let furtherOutputs: [Port]?
    /// The number of values in its parameters, including those used only in training, as Keras counts them.
    public let parameterCount: Int
  }

  /// A tensor.
  public struct TensorRow: Sendable, Encodable {
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
    /// The stored size in bytes.
    public let bytes: Int
    /// The path of the tensor in the source.
    public let path: String
    /// The statistics of the values, if they were requested.
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
      // Their meaning is unknown.
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

  /// Returns the number of values used only in training; a layer that is called several times counts once.
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
