import Documents
import ModelIR
import Transforms
import Writers

/// A source to convert, and the settings to use.
public struct ConvertRequest: Sendable {
  /// The path of a model in any format that netconv reads.
  public var source: String
  /// A single container if the path ends in `.netpack`, `.safetensors`, `.npz`, `.onnx`, `.tflite` or
  /// `.mlpackage`, otherwise a folder.
  public var destination: String
  /// The consumer; `nil` for Metal Performance Shaders.
  ///
  /// If only weights are written, `nil` means no consumer, and they keep the source's order.
  public var target: String?
  /// The element type of kernels without a rule.
  public var elementType = ElementType.float32
  /// The element types of some kernels; if several rules match a kernel, the last one applies.
  ///
  /// Biases and the parameters of normalisations are always float32.
  public var elementTypeRules: [ElementTypeRule] = []
  /// The formats to write; `nil` for those that the target uses.
  public var formats: [OutputFormat]?
  /// Options for reading the source.
  public var options = SourceOptions()
  /// The convention for names and layouts of weights without a graph: `torch`, `mlx`, `tensorflow` or `keras`.
  ///
  /// Without it, tensors whose axes the source does not state are not rearranged.
  public var convention: String?
  /// Operators that replace layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`.
  public var replacements: [String] = []
  /// The paths of LoRA adapters to merge into the weights, in order: folders that PEFT wrote.
  ///
  /// They need ``weightsOnly``.
  public var adapters: [String] = []
  /// A file with rules that make tensors from those of the source, as `relate` writes it.
  ///
  /// It also determines names and types; apart from it, only ``source``, ``destination``, ``formats`` and settings
  /// that do not affect values apply.
  public var map: String?
  /// Rules that make the tensors from those of the source; they need ``weightsOnly``.
  public var rules = RuleRequest()
  /// Patterns of tensors that keep the source's order for any target; they need ``weightsOnly``.
  public var keep: [String] = []
  /// The layouts of tensors whose axes the source does not state, as `PATTERN=OIHW`; they need ``weightsOnly``.
  public var layouts: [String] = []
  /// True to leave out the graph, which then may be one that netconv cannot read.
  public var weightsOnly = false
  /// The names of tensors, such as `{layer}_{role}`, optionally with an extension for `bin` files, such as
  /// `{layer}_{role}.dat`; `nil` for the target's own names.
  public var naming: String?
  /// The alignment of tensors in an archive, in bytes; a power of two up to 16,384.
  public var alignment = 256
  /// The quantisation of the weights; `nil` for none.
  ///
  /// It needs ``weightsOnly``, and a file or folder that can hold the result.
  public var quantization: WeightQuantization?
  /// The maximum size of a file of ``OutputFormat/shards``, in bytes; `nil` for 5 GB, and for no shards unless
  /// ``formats`` names them.
  public var shardSize: Int?
  /// The smallest value of ``memoryLimit``.
  public static let leastMemoryLimit = PanelMemory.leastProcessLimit
  /// The memory limit of the whole process, in bytes; tensors may be larger.
  public var memoryLimit = 96 << 20
  /// True if an earlier output may be replaced.
  public var force = false
  /// True if finite values may become infinite where a type cannot represent them.
  public var allowOverflow = false
  /// True to fold normalisations and scales into the preceding kernels, where the graph allows it.
  public var foldsBatchNormalization = false
  /// Filters to record as the preprocessing of pixels, as text (`blur=2.5`), with the prefix `NAME:` for one of
  /// several inputs.
  ///
  /// The encoding of values that the source records stays, unless a filter sets it.
  public var filters: [String] = []
  /// Inputs to store with the model's outputs for them; none by default.
  public var goldens: GoldensRequest?
  /// The folder for files with goldens; by default that of the containers.
  var goldensFolder: String?
  /// True to write only weights although there is a graph, which goldens need, but which no document can represent.
  var leavesOutGraph = false
  /// True if a tensor without a layout for the target is an error; otherwise it keeps the source's layout, with a
  /// warning.
  public var strict = false

  /// True if the inputs and outputs of an ONNX graph or a Core ML program have channels first; `nil` for the order of the
  /// model.
  public var channelsFirst: Bool?

  /// The operator set of an ONNX graph, from 17 to 23; `nil` for 17.
  public var opset: Int?

  /// Checks that the settings for graphs are for one that is written.
  ///
  /// - Throws: `usage`.
  func checkGraphOptions(_ formats: [OutputFormat]) throws(NetconvError) {
    guard opset == nil || formats.contains(.onnx) else { throw .opsetWithoutGraph }
    guard channelsFirst == nil || formats.contains(.onnx) || formats.contains(.coreml) else {
      throw .layoutWithoutGraph
    }
  }

  /// The formats to write; `nil` for those that the target uses.
  var wantedFormats: [OutputFormat]? {
    if formats == nil, shardSize != nil { return [.shards] }
    if formats == nil, case .mlx = quantization { return [.safetensors] }
    return formats
  }

  /// True if tensors keep the names of the source, or those that the request gives, unless a target has its own: in files
  /// that other programs read by these names.
  var keepsNames: Bool {
    let container = Destination.container(of: destination)
    let formats = container.map { [$0] } ?? wantedFormats ?? []
    return !rules.isEmpty || !options.graph.substitutions.isEmpty || !adapters.isEmpty
      || quantization != nil || container == .safetensors || container == .npz
      || formats.contains(.shards) || formats.contains(.gguf)
  }

  /// The name of the consumer; a file that is a graph has its own, which is called like the format.
  var targetName: String {
    if target == nil, let container = Destination.container(of: destination), container.isGraph {
      return container.rawValue
    }
    return target ?? (weightsOnly ? Target.source.name : "mps")
  }

  /// True if no setting is used that a map determines itself, or that needs a graph.
  var isAllOfMap: Bool {
    let plain = ConvertRequest(source: source, destination: destination)
    return target == plain.target && elementType == plain.elementType && elementTypeRules.isEmpty
      && replacements.isEmpty && naming == nil && !foldsBatchNormalization && filters.isEmpty
      && goldens == nil && rules.isEmpty && keep.isEmpty && layouts.isEmpty
  }

  /// Creates a request to convert `source` into `destination`, with the defaults of the command line.
  public init(source: String, destination: String) {
    self.source = source
    self.destination = destination
  }
}
