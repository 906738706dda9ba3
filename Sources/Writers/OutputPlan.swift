import Documents
import ModelIR

/// The plan of a conversion's output: the name, element type, size and locations of every tensor.
public struct OutputPlan: Sendable {
  /// A tensor to be written.
  public struct Entry: Sendable {
    /// The values, in the layout to be written.
    public let tensor: Tensor
    /// The name in containers.
    public let name: String
    /// The name of a separate file for the tensor, without its extension.
    let fileName: String
    /// The encoding of the values.
    public let encoding: TensorEncoding
    /// The name of the entry with the scales of integer values.
    public let scale: String?
    /// True if the values are the scales of another tensor.
    let isScale: Bool
    /// The location in each container.
    public internal(set) var places: [OutputFormat: TensorRecord.Place] = [:]

    /// The element type.
    public var elementType: ElementType { encoding.elementType }
    /// The location in the container that is preferred for reading.
    public var place: TensorRecord.Place? {
      OutputFormat.allCases.lazy.compactMap { places[$0] }.first
    }
    /// The size in bytes.
    public var byteCount: Int { tensor.count * elementType.byteCount }
    /// The extension of a separate file.
    let fileEnding: String
    /// The path of a separate file.
    var file: String {
      BinContainer.file(named: fileName, ending: fileEnding)
    }
    /// The entry's name in an archive.
    var archiveEntry: String { BinContainer.file(named: fileName) }
    /// True if the name is safe for an archive entry: it must not escape the folder where the archive is unpacked.
    var isNameOfEntry: Bool {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      return !parts.contains { ["", ".", ".."].contains($0) }
        && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\\" && $0 != ":" }
    }
  }

  /// The model or its weights, arranged for the target.
  public let network: Network
  /// The tensors in the order of the layers, each followed by its scales.
  public let entries: [Entry]
  /// The entries of the network's own tensors, without scales.
  public var entriesOfParameters: [Entry] {
    entries.filter { !$0.isScale && !($0.tensor.stored.source is MLXParameters) }
  }
  /// The containers to write.
  public let formats: [OutputFormat]
  /// The layout of each of ``formats``.
  let layouts: [any ContainerLayout]
  /// True if the whole output is a single container.
  var isSelfContained: Bool { formats.map(\.holdsManifest) == [true] }

  /// Creates a plan for the tensors of `network`.
  ///
  /// - Parameters:
  ///   - network: a network arranged for its target.
  ///   - formats: the containers, at least one.
  ///   - naming: the naming scheme of tensors.
  ///   - alignment: the alignment of tensors in the archive, in bytes; 1 to 16,384.
  ///   - metadata: the metadata for the header of safetensors.
  ///   - shardSize: the maximum size of a shard, in bytes.
  ///   - graph: the options for graphs of other frameworks.
  ///   - encodings: the encodings of the tensors, in the network's order.
  /// - Throws: `usage` if a container does not support an element type, `badData` if a size overflows.
  public init(
    _ network: Network, formats: [OutputFormat], naming: FileNaming = .standard,
    alignment: Int = 256, metadata: [String: String] = [:],
    shardSize: Int = ShardsContainer.defaultSize, graph: GraphOptions = GraphOptions(),
    encodings: [TensorEncoding]
  ) throws(NetconvError) {
    self.network = network
    self.formats = formats
    let tensors = network.tensors
    precondition(encodings.count == tensors.count, "each tensor has one encoding")
    var entries = Self.entries(Array(zip(tensors, encodings)), naming)
    let contents = ContainerContents(
      network: network, entries: entries, alignment: alignment, metadata: metadata,
      shardSize: shardSize, graph: graph)
    layouts = try formats.map { format throws(NetconvError) in
      try format.writable.layout(of: contents)
    }
    for (format, layout) in zip(formats, layouts) {
      for (index, place) in layout.places.enumerated() { entries[index].places[format] = place }
    }
    self.entries = entries
  }

  private static func entries(
    _ requests: [(Tensor, TensorEncoding)], _ naming: FileNaming
  ) -> [Entry] {
    // Scales are named last, so that they do not affect the names of other tensors.
    let ending = naming.fileEnding ?? BinContainer.ending
    let names = naming.names(for: requests.map(\.0) + requests.compactMap(\.1.scale))
    var scaleNames = names.dropFirst(requests.count)
    var entries: [Entry] = []
    for ((tensor, encoding), name) in zip(requests, names) {
      let scale = encoding.scale.flatMap { scale in scaleNames.popFirst().map { (scale, $0) } }
      entries.append(
        Entry(
          tensor: tensor, name: name.tensor, fileName: name.file, encoding: encoding,
          scale: scale?.1.tensor, isScale: false, fileEnding: ending))
      if let (scale, name) = scale {
        entries.append(
          Entry(
            tensor: scale, name: name.tensor, fileName: name.file,
            encoding: TensorEncoding(.float32), scale: nil, isScale: true, fileEnding: ending))
      }
    }
    return entries
  }

  /// Creates a plan for the tensors of `network`, in element types without scales.
  package init(
    _ network: Network, formats: [OutputFormat], naming: FileNaming = .standard,
    alignment: Int = 256, elementType: (Tensor) -> ElementType
  ) throws(NetconvError) {
    try self.init(
      network, formats: formats, naming: naming, alignment: alignment,
      encodings: network.tensors.map { TensorEncoding(elementType($0)) })
  }
}
