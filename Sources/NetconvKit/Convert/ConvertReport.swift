import Documents
import Files
import ModelIR
import Writers

/// What a conversion wrote.
public struct ConvertReport: Report {
  /// The name of its schema.
  public static let schema = "convert"

  /// The source, as it was named.
  public let source: String
  /// The output, as it was named.
  public let destination: String
  /// What wrote the source, if it says so.
  public let framework: String?
  /// The consumer.
  public let target: String
  /// The element type of kernels.
  public let dtype: String
  /// What was written.
  public let formats: [String]
  /// Bytes of all tensors, once.
  public let bytes: Int
  /// What each format takes of the disk.
  public let containers: [Container]
  /// Bytes of all files that were written, the manifest included.
  public let bytesOnDisk: Int
  /// Whether the tensors' hashes and the graph were written too; not where a container alone has no place for them.
  public let manifest: Bool
  /// Whether all that was written is a text that netconv reads as a source, and not as its own output.
  public var isSource: Bool {
    formats.allSatisfy { OutputFormat(rawValue: $0)?.isSourceText ?? false }
  }
  /// The tensors, in the order of the model.
  public let tensors: [Row]
  /// How many arrays of the source are no weights, and left out: what an optimizer keeps, counters, metrics.
  public let leftOut: Int
  /// What became of layers that can be folded; `nil` unless that was asked for.
  public let folded: Folding?
  /// The layers in whose place an operator was put; `nil` if there are none.
  public let replaced: [Replaced]?
  /// What is recorded to be done to pixels; `nil` unless filters were asked for.
  public let preprocessing: [Preprocessing]?
  /// The goldens that were written; `nil` unless they were asked for.
  public let goldens: Manifest.Goldens?
  /// Everything that was warned of.
  public let warnings: [Message]

  /// What an input records to be done to pixels.
  public struct Preprocessing: Sendable, Encodable {
    /// What the model calls it.
    public let input: String
    /// The steps, in their order.
    public let steps: [PixelStepDocument]
    /// The same for people.
    public let text: String

    /// - Returns: `nil` for an input that records nothing.
    init?(_ input: InputDocument) {
      guard let steps = input.input.preprocessing else { return nil }
      self.input = input.name
      self.steps = steps.map(PixelStepDocument.init)
      text = steps.words
    }
  }

  /// A tensor that was written.
  public struct Row: Sendable, Encodable {
    /// What the tensor is called; its own file's name without the ending.
    public let name: String
    /// The layer that it belongs to.
    public let layer: String
    /// What it is to the layer.
    public let role: String
    /// The layout in the source; empty for what a map makes of several tensors.
    public let sourceLayout: String
    /// The shape in the source; empty for what a map makes of several tensors.
    public let sourceShape: [Int]
    /// The layout that was written.
    public let layout: String
    /// Axes of it, by letter, whose order was reversed.
    public let flip: [String]
    /// The shape that was written.
    public let shape: [Int]
    /// How values are written.
    public let dtype: String
    /// The name of the scales that integers are multiplied by.
    public let scale: String?
    /// The rearrangement in einops notation.
    public let pattern: String
    /// Sets of axes, by letter, that the shape in the source does not tell apart: that they are in the right order
    /// says only the source's format.
    public let ambiguities: [[String]]
    /// The file, in the format that is read first.
    public let file: String
    /// What the tensor is called in that file, if it holds others too.
    public let tensor: String?
    /// Bytes.
    public let length: Int
  }

  /// A format that was written.
  public struct Container: Sendable, Encodable {
    /// The format.
    public let format: String
    /// Bytes of its files.
    public let bytes: Int
  }

  /// What became of layers that can be folded, as the manifest has it.
  public typealias Folding = FoldingRecord

  /// A layer that was replaced, as the manifest has it.
  public typealias Replaced = ReplacementRecord

  /// - Parameters:
  ///   - sources: the shapes of what a map makes each tensor of, by its name; none without a map.
  ///   - leftOut: how many arrays of the source are no weights.
  init(
    _ request: ConvertRequest, _ output: ModelWriter.Output, sources: [String: [[Int]]] = [:],
    leftOut: Int, warnings: [Message]
  ) {
    let manifest = output.manifest
    self.leftOut = leftOut
    source = request.source
    destination = Directory.withoutTrailingSlashes(request.destination)
    framework = manifest.source.framework
    target = manifest.target
    dtype = manifest.dtype
    formats = manifest.formats
    let alone = Destination.container(of: request.destination)
    let text = alone.flatMap { $0.isSourceText ? $0.fileName : nil }
    // No tensor has a place in a text.
    func length(_ record: TensorRecord) -> Int {
      guard text != nil else { return record.length }
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
