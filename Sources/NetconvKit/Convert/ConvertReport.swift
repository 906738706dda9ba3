import Documents
import Files
import ModelIR
import Writers

/// The output of a conversion.
public struct ConvertReport: Report {
  /// The name of the report's schema.
  public static let schema = "convert"

  /// The source, as given by the caller.
  public let source: String
  /// The destination, as given by the caller.
  public let destination: String
  /// The program that wrote the source, if it is recorded.
  public let framework: String?
  /// The consumer.
  public let target: String
  /// The element type of kernels.
  public let dtype: String
  /// The formats that were written.
  public let formats: [String]
  /// The size of all tensors in bytes, counted once.
  public let bytes: Int
  /// The size of each format on disk.
  public let containers: [Container]
  /// The size of all written files in bytes, including the manifest.
  public let bytesOnDisk: Int
  /// True if the tensors' hashes and the graph were written too; false if the only container cannot hold them.
  public let manifest: Bool
  /// True if all output is text that netconv reads as a source rather than as its own output.
  public var isSource: Bool {
    formats.allSatisfy { OutputFormat(rawValue: $0)?.isSourceText ?? false }
  }
  /// The tensors, in the order of the model.
  public let tensors: [Row]
  /// The number of arrays in the source that are left out because they are not weights: optimizer state, counters,
  /// metrics.
  public let leftOut: Int
  /// The record of folding; `nil` unless it was requested.
  public let folded: Folding?
  /// The effect of rules; `nil` without rules.
  public let rules: RulesReport?
  /// The layers that were replaced by an operator; `nil` if there are none.
  public let replaced: [Replaced]?
  /// The recorded preprocessing of pixels; `nil` unless filters were requested.
  public let preprocessing: [Preprocessing]?
  /// The goldens that were written; `nil` unless they were requested.
  public let goldens: Manifest.Goldens?
  /// All warnings.
  public let warnings: [Message]

  /// The preprocessing of pixels that an input records.
  public struct Preprocessing: Sendable, Encodable {
    /// The name of the input.
    public let input: String
    /// The steps, in order.
    public let steps: [PixelStepDocument]
    /// A human-readable description of the steps.
    public let text: String

    /// - Returns: `nil` for an input without recorded preprocessing.
    init?(_ input: InputDocument) {
      guard let steps = input.input.preprocessing else { return nil }
      self.input = input.name
      self.steps = steps.map(PixelStepDocument.init)
      text = steps.words
    }
  }

  /// A tensor that was written.
  public struct Row: Sendable, Encodable {
    /// The name of the tensor: that of its own file, without the extension.
    public let name: String
    /// The layer that it belongs to.
    public let layer: String
    /// The role of the tensor in the layer.
    public let role: String
    /// The layout in the source; empty if a map makes the tensor from several.
    public let sourceLayout: String
    /// The shape in the source; empty if a map makes the tensor from several.
    public let sourceShape: [Int]
    /// The layout that was written.
    public let layout: String
    /// The axes, by letter, whose order was reversed.
    public let flip: [String]
    /// The shape that was written.
    public let shape: [Int]
    /// The dtype of the written values.
    public let dtype: String
    /// The name of the scales for integers.
    public let scale: String?
    /// The rearrangement in einops notation.
    public let pattern: String
    /// Sets of axes, by letter, that the shape in the source does not distinguish; only the source's format
    /// determines their order.
    public let ambiguities: [[String]]
    /// The file that contains the tensor, in the format that is read first.
    public let file: String
    /// The name of the tensor in that file, if it contains several.
    public let tensor: String?
    /// The length in bytes.
    public let length: Int
  }

  /// A format that was written.
  public struct Container: Sendable, Encodable {
    /// The format.
    public let format: String
    /// The size of its files in bytes.
    public let bytes: Int
  }

  /// The record of folding, as in the manifest.
  public typealias Folding = FoldingRecord

  /// A layer that was replaced, as in the manifest.
  public typealias Replaced = ReplacementRecord

  /// - Parameters:
  ///   - sources: the shapes that a map makes each tensor from, by its name; empty without a map.
  ///   - leftOut: the number of arrays in the source that are not weights.
  init(
    _ request: ConvertRequest, _ output: ModelWriter.Output, sources: [String: [[Int]]] = [:],
    rules: RulesReport? = nil, leftOut: Int, warnings: [Message]
  ) {
    let manifest = output.manifest
    self.rules = rules
    self.leftOut = leftOut
    source = request.source
    destination = Directory.withoutTrailingSlashes(request.destination)
    framework = manifest.source.framework
    target = manifest.target
    dtype = manifest.dtype
    formats = manifest.formats
    let alone = Destination.container(of: request.destination)
    let text = alone.flatMap { $0.isSourceText ? $0.publishedName : nil }
    // Tensors have no offset in a text format.
    func length(_ record: TensorRecord) -> Int {
      guard text != nil else { return record.length }
      if let blocks = GGUFBlocks(rawValue: record.dtype.lowercased()) {
        return record.shape.reduce(1, *) / blocks.valueCount * blocks.byteCount
      }
      let type = ElementType(rawValue: record.dtype) ?? .float32
      return record.shape.reduce(type.byteCount, *)
    }
    bytes = manifest.tensors.reduce(0) { $0 + length($1) }
    containers = output.sizes.formats.map {
      Container(format: $0.format.rawValue, bytes: $0.bytes)
    }
    bytesOnDisk = output.sizes.total
    self.manifest = alone?.holdsManifest ?? true
    tensors = manifest.tensors.map { record in
      var origin = (layout: record.source.layout, shape: record.source.shape)
      if let shapes = sources[record.name] {
        let shape = shapes.count == 1 ? shapes[0] : []
        let axes = Axis.places.prefix(shape.count).map(\.description).joined()
        origin = (axes, shape)
      }
      return Row(
        name: record.name, layer: record.layer, role: record.role,
        sourceLayout: origin.layout, sourceShape: origin.shape,
        layout: record.layout, flip: record.rearrangement.flip, shape: record.shape,
        dtype: record.dtype, scale: record.scale, pattern: record.rearrangement.pattern,
        ambiguities: record.ambiguities, file: text ?? record.place.file,
        tensor: record.place.tensor, length: length(record))
    }
    folded = manifest.folded
    replaced = manifest.replaced
    preprocessing =
      request.filters.isEmpty ? nil : manifest.model?.inputs.compactMap(Preprocessing.init)
    goldens = manifest.goldens
    self.warnings = warnings
  }
}
