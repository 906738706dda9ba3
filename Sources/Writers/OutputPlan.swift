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
    /// How each value is written.
    public let elementType: ElementType
    /// Where the values begin in the archive, if there is one.
    public let archiveOffset: Int?

    /// The path in the folder and in the archive.
    public var file: String { "weights/\(name).bin" }
    /// Bytes.
    public var byteCount: Int { tensor.count * elementType.byteCount }
  }

  /// The model or its weights, arranged for its target.
  public let network: Network
  /// The tensors, in the order of the layers.
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
  ///   - elementType: how a tensor is written.
  public init(
    _ network: Network, formats: [OutputFormat], naming: FileNaming = .standard,
    alignment: Int = 256,
    elementType: (Tensor) -> ElementType
  ) {
    self.network = network
    self.formats = formats
    let tensors = network.tensors
    var archive = ZipLayout()
    entries = zip(tensors, naming.names(for: tensors)).map { tensor, name in
      let type = elementType(tensor)
      let offset =
        formats.contains(.archive)
        ? archive.append(
          "weights/\(name).bin", size: tensor.count * type.byteCount, alignment: alignment
        ).dataOffset : nil
      return Entry(tensor: tensor, name: name, elementType: type, archiveOffset: offset)
    }
    self.archive = archive
  }
}

/// A container that tensors can be written to.
public enum OutputFormat: String, Sendable, CaseIterable {
  /// One file of raw values per tensor.
  case bin
  /// All tensors and the manifest in one ZIP archive of stored entries.
  case archive
}
