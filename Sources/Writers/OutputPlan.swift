import Documents
import ModelIR

/// What a conversion is going to write: every tensor's name, type, size and places.
public struct OutputPlan: Sendable {
  /// A tensor that will be written.
  public struct Entry: Sendable {
    /// The values, wanted in the layout that is written.
    public let tensor: Tensor
    /// What containers call it.
    public let name: String
    /// The name of a file for it alone, without its ending.
    let fileName: String
    /// How the values become bytes.
    public let encoding: TensorEncoding
    /// What the entry of the scales is called, of integers.
    public let scale: String?
    /// Whether the values are the scales of another tensor.
    let isScale: Bool
    /// Where its bytes go in each format.
    public internal(set) var places: [OutputFormat: TensorRecord.Place] = [:]

    /// How each value is written.
    public var elementType: ElementType { encoding.elementType }
    /// The place in the format that is read first.
    public var place: TensorRecord.Place? {
      OutputFormat.allCases.lazy.compactMap { places[$0] }.first
    }
    /// Bytes.
    public var byteCount: Int { tensor.count * elementType.byteCount }
    /// What a file for it alone ends in.
    let fileEnding: String
    /// The path of a file for it alone.
    var file: String {
      BinContainer.file(named: fileName, ending: fileEnding)
    }
    /// What an archive calls it.
    var archiveEntry: String { BinContainer.file(named: fileName) }
    /// Whether an archive can have an entry of its name: none that leads to another folder where it is unpacked.
    var isNameOfEntry: Bool {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      return !parts.contains { ["", ".", ".."].contains($0) }
        && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\\" && $0 != ":" }
    }
  }

  /// The model or its weights, arranged for its target.
  public let network: Network
  /// The tensors, in the order of the layers, the scales of each behind it.
  public let entries: [Entry]
  /// The entries of the network's own tensors, without those of scales.
  public var entriesOfParameters: [Entry] { entries.filter { !$0.isScale } }
  /// What is written.
  public let formats: [OutputFormat]
  /// What each of ``formats`` will hold.
  let layouts: [any ContainerLayout]
  /// Whether all there is will be in one container.
  var isSelfContained: Bool { formats.map(\.holdsManifest) == [true] }

  /// A plan for the tensors of `network`.
  ///
  /// - Parameters:
  ///   - network: arranged for its target.
  ///   - formats: at least one.
  ///   - naming: how tensors are called.
  ///   - alignment: where tensors of the archive begin, in bytes; 1 to 16,384.
  ///   - metadata: texts for the header of safetensors.
  ///   - graph: how a graph of another framework is written.
  ///   - encodings: how each tensor is written, in the order of the network's.
  /// - Throws: `usage` if a format cannot hold an element type, `badData` if a size overflows.
  public init(
    _ network: Network, formats: [OutputFormat], naming: FileNaming = .standard,
    alignment: Int = 256, metadata: [String: String] = [:], graph: GraphOptions = GraphOptions(),
    encodings: [TensorEncoding]
  ) throws(NetconvError) {
    self.network = network
    self.formats = formats
    let tensors = network.tensors
    precondition(encodings.count == tensors.count, "each tensor has one encoding")
    var entries = Self.entries(Array(zip(tensors, encodings)), naming)
    let contents = ContainerContents(
      network: network, entries: entries, alignment: alignment, metadata: metadata,
      graph: graph)
    layouts = try formats.map { format throws(NetconvError) in
      try format.writable.layout(of: contents)
    }
    for (format, layout) in zip(formats, layouts) {
      for (index, place) in layout.places.enumerated() { entries[index].places[format] = place }
    }
    self.entries = entries
  }

  private static func entries(
    _ wishes: [(Tensor, TensorEncoding)], _ naming: FileNaming
  ) -> [Entry] {
    // Scales are named last, so that they change no other tensor's name.
    let ending = naming.fileEnding ?? BinContainer.ending
    let names = naming.names(for: wishes.map(\.0) + wishes.compactMap(\.1.scale))
    var scaleNames = names.dropFirst(wishes.count)
    var entries: [Entry] = []
    for ((tensor, encoding), name) in zip(wishes, names) {
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

  /// A plan for the tensors of `network`, in types that need no scales.
  package init(
    _ network: Network, formats: [OutputFormat], naming: FileNaming = .standard,
    alignment: Int = 256, elementType: (Tensor) -> ElementType
  ) throws(NetconvError) {
    try self.init(
      network, formats: formats, naming: naming, alignment: alignment,
      encodings: network.tensors.map { TensorEncoding(elementType($0)) })
  }
}
