import Documents
import ModelIR
import Transforms
import Writers

/// What is to be converted, and how.
public struct ConvertRequest: Sendable {
  /// Anything that netconv reads.
  public var source: String
  /// A container alone if it ends in `.netpack`, `.safetensors`, `.npz` or `.onnx`, else a folder.
  public var destination: String
  /// The consumer; `nil` for Metal Performance Shaders, and for nobody where only weights are written, which then keep the
  /// source's order.
  public var target: String?
  /// The element type of kernels that no rule names.
  public var elementType = ElementType.float32
  /// The element types of some kernels; of the rules that name one, the last counts.
  ///
  /// Biases and the parameters of normalisations are float32 whatever is said.
  public var elementTypeRules: [ElementTypeRule] = []
  /// What is written; `nil` for what the target is usually given.
  public var formats: [OutputFormat]?
  /// How it is read.
  public var options = SourceOptions()
  /// Whose names and layouts weights without a graph have: `torch`, `mlx`, `tensorflow` or `keras`.
  ///
  /// Without it nothing is moved of which the source does not say the axes.
  public var convention: String?
  /// Operators in the place of layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`.
  public var replacements: [String] = []
  /// A file that says how tensors are made of those of the source, as `relate` writes it; it also says their names and
  /// types, and only ``source``, ``destination``, ``formats`` and what is no matter of values counts besides.
  public var map: String?
  /// Whether the graph is left out, and need not be one that netconv can read.
  public var weightsOnly = false
  /// How tensors are called, such as `{layer}_{role}`, and with a dot behind that what files of the format bin end in,
  /// such as `{layer}_{role}.dat`; `nil` for the target's own names.
  public var naming: String?
  /// Where tensors of an archive begin, in bytes; a power of two up to 16,384.
  public var alignment = 256
  /// The least that ``memoryLimit`` can be.
  public static let leastMemoryLimit = PanelMemory.leastProcessLimit
  /// What the whole process should take at most, in bytes; a tensor may be as large as it likes.
  public var memoryLimit = 96 << 20
  /// Whether an earlier output may be replaced.
  public var force = false
  /// Whether finite values may become infinite where a type cannot hold them.
  public var allowOverflow = false
  /// Whether normalisations and scales go into the kernels before them, where the graph allows.
  public var foldsBatchNormalization = false
  /// What is recorded to be done to pixels, as text of filters (`blur=2.5`), with `NAME:` in front for one of several inputs.
  ///
  /// What the source records about how values are encoded stays, unless a filter says that.
  public var filters: [String] = []
  /// Inputs to store with what the model makes of them; none by default.
  public var goldens: GoldensRequest?
  /// The folder for files with goldens, in the place of the containers.
  var goldensFolder: String?
  /// Whether only weights are written although there is a graph, which gives goldens: no document can hold a layer of it.
  var leavesOutGraph = false
  /// Whether a tensor that the target has no layout for is an error; else it keeps the source's, with a warning.
  public var strict = false

  /// Whether data lies at the inputs and outputs of a graph of ONNX with its channels first; `nil` for as in the model.
  public var channelsFirst: Bool?

  /// What the consumer is called; a file of ONNX has one.
  var targetName: String {
    if target == nil, Destination.container(of: destination) == .onnx {
      return OutputFormat.onnx.rawValue
    }
    return target ?? (weightsOnly ? Target.source.name : "mps")
  }

  /// Whether nothing is asked for that a map says itself, or that needs a graph.
  var isAllOfMap: Bool {
    let plain = ConvertRequest(source: source, destination: destination)
    return target == plain.target && elementType == plain.elementType && elementTypeRules.isEmpty
      && replacements.isEmpty && naming == nil && !foldsBatchNormalization && filters.isEmpty
      && goldens == nil
  }

  /// A conversion of `source` into `destination`, with the defaults of the command line.
  public init(source: String, destination: String) {
    self.source = source
    self.destination = destination
  }
}
