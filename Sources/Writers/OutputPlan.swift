import Documents
import ModelIR
import Zlib

/// What a conversion is going to write: every tensor's name, type, size and place.
public struct OutputPlan: Sendable {
  /// A tensor that will be written.
  public struct Entry: Sendable {
    /// The values, wanted in the layout that is written.
    public let tensor: Tensor
    /// The file's name without its ending.
    public let name: String
    /// How the values become bytes.
    public let encoding: TensorEncoding
    /// The file of the scales, of integers.
    public let scaleFile: String?
    /// Where the values begin in the archive, if there is one.
    public let archiveOffset: Int?

    /// How each value is written.
    public var elementType: ElementType { encoding.elementType }
    /// The path in the folder and in the archive.
    public var file: String { OutputPlan.file(name) }
    /// Bytes.
    public var byteCount: Int { tensor.count * elementType.byteCount }
  }

  /// The model or its weights, arranged for its target.
  public let network: Network
  /// The tensors, in the order of the layers, the scales of each behind it.
  public let entries: [Entry]
  /// What is written.
  public let formats: [OutputFormat]
  /// The archive without its manifest; empty if none is written.
  let archive: ZipLayout

  /// A plan for the tensors of `network`.
  ///
  /// - Parameters:
  ///   - network: arranged for its target.
  ///   - formats: at least one.
  ///   - naming: how files are called.
  ///   - alignment: where tensors of the archive begin, in bytes; 1 to 16,384.
  ///   - encoding: how a tensor is written.
  public init(
    _ network: Network, formats: [OutputFormat], naming: FileNaming = .standard,
    alignment: Int = 256, encoding: (Tensor) -> TensorEncoding
  ) {
    self.network = network
    self.formats = formats
    let wishes = network.tensors.map { ($0, encoding($0)) }
    let scales = wishes.compactMap { $0.1.scale }
    // Scales are named last, so that they change no other tensor's name.
    let names = naming.names(for: wishes.map { $0.0 } + scales)
    var scaleNames = names.dropFirst(wishes.count)
    var archive = ZipLayout()
    var entries: [Entry] = []
    func add(_ tensor: Tensor, _ name: String, _ encoding: TensorEncoding, scale: String? = nil) {
      let size = tensor.count * encoding.elementType.byteCount
      let offset =
        formats.contains(.archive)
        ? archive.append(Self.file(name), size: size, alignment: alignment).dataOffset : nil
      entries.append(
        Entry(
          tensor: tensor, name: name, encoding: encoding, scaleFile: scale.map(Self.file),
          archiveOffset: offset))
    }
    for ((tensor, encoding), name) in zip(wishes, names) {
      let scaleName = encoding.scale == nil ? nil : scaleNames.popFirst()
      add(tensor, name, encoding, scale: scaleName)
      if let scale = encoding.scale, let scaleName {
        add(scale, scaleName, TensorEncoding(.float32))
      }
    }
    self.entries = entries
    self.archive = archive
  }

  /// A plan for the tensors of `network`, in types that need no scales.
  package init(
    _ network: Network, formats: [OutputFormat], naming: FileNaming = .standard,
    alignment: Int = 256, elementType: (Tensor) -> ElementType
  ) {
    self.init(network, formats: formats, naming: naming, alignment: alignment) { tensor in
      TensorEncoding(elementType(tensor))
    }
  }

  private static func file(_ name: String) -> String { "weights/\(name).bin" }
}

/// A container that tensors can be written to.
public enum OutputFormat: String, Sendable, CaseIterable {
  /// One file of raw values per tensor.
  case bin
  /// All tensors and the manifest in one ZIP archive of stored entries.
  case archive
}
