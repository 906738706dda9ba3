import Documents
import Files
import ModelIR
import Zlib

/// An output of netconv that was read again: its manifest, and where each tensor is.
public struct ConvertedSource: Sendable {
  /// A stored copy of a tensor.
  public struct Copy: Sendable {
    /// What the manifest says about it.
    public let record: TensorRecord
    /// The file that holds it.
    public let file: RandomAccessFile
    /// Its bytes in that file.
    public let range: Range<Int>
  }

  /// What was written.
  public let manifest: Manifest
  /// The tensors that the network reads.
  public let tensors: [Copy]
  /// The same tensors in the folder's archive, if it has one besides its blobs.
  public let archived: [Copy]
  /// Where files lie that are neither tensors nor the manifest.
  let companions: Companions

  /// A place with files beside the tensors.
  enum Companions: Sendable {
    case folder(String)
    case archive(ZipArchive)
  }

  /// The most bytes of such a file that make sense.
  private static let companionLimit = 1 << 30

  /// The bytes of a file beside the tensors, such as the goldens.
  ///
  /// - Throws: `badData` if it is missing, or `inputOutput`.
  public func companion(_ name: String) throws(NetconvError) -> [UInt8] {
    switch companions {
    case .folder(let folder):
      guard try Directory.kind(of: folder + "/" + name) == .file else {
        throw .missingCompanion(name)
      }
      return try ContainedPath(name, in: folder).open().contents(limit: Self.companionLimit)
    case .archive(let archive):
      guard let entry = archive.entry(named: name) else { throw .missingCompanion(name) }
      return try archive.contents(of: entry, limit: Self.companionLimit)
    }
  }
}

extension ConvertedSource.Copy {
  /// The values as they are stored.
  ///
  /// - Throws: `badData` if their type is unknown.
  fileprivate var values: any TensorSource {
    get throws(NetconvError) {
      guard let type = ElementType(rawValue: record.dtype) else {
        throw .unknownElementType(record.dtype)
      }
      return FileTensorSource(
        file: file, offset: range.lowerBound, elementType: type,
        count: range.count / type.byteCount)
    }
  }
}

/// What the two readers of converted models share.
enum ConvertedNetwork {
  /// The network of a manifest whose tensors are where `copies` say.
  ///
  /// - Throws: `badData` if the network and the tensors of the manifest do not agree.
  static func network(
    _ manifest: Manifest, _ copies: [ConvertedSource.Copy]
  ) throws(NetconvError) -> Network {
    var byFile: [String: ConvertedSource.Copy] = [:]
    for copy in copies { byFile[copy.record.file] = copy }
    let source = { (parameter: ParameterDocument) throws(NetconvError) -> any TensorSource in
      guard let copy = byFile[parameter.file] else { throw .notInManifest(parameter.file) }
      return try parameter.quantized(copy.values) { scale throws(NetconvError) in
        guard let copy = byFile[scale.file] else { throw .notInManifest(scale.file) }
        return try copy.values
      }
    }
    return switch try ManifestAgreement(manifest).checkedContent() {
    case .model(let document): .model(try Model(document, source: source).dequantized())
    case .weights(let document): .weights(try Weights(document, source: source).dequantized())
    }
  }

  /// The bytes of an archive's manifest.
  ///
  /// - Throws: `badData` if there is none or it is damaged.
  static func manifest(in archive: ZipArchive) throws(NetconvError) -> [UInt8] {
    guard let entry = archive.entry(named: Manifest.fileName) else {
      throw NetconvError.noManifest.inFile(archive.file.path)
    }
    return try archive.contents(of: entry, limit: JSONDocument.sizeLimit)
  }

  /// The tensors of an archive.
  ///
  /// - Throws: `badData` if one is missing, compressed, or of another length or at another place than the
  ///   manifest says.
  static func copies(
    _ manifest: Manifest, in archive: ZipArchive
  ) throws(NetconvError) -> [ConvertedSource.Copy] {
    var byName: [String: ZipArchive.Entry] = [:]
    for entry in archive.entries { byName[entry.name] = entry }
    var copies: [ConvertedSource.Copy] = []
    for record in manifest.tensors {
      guard let entry = byName[record.file], entry.method == 0, entry.storedSize == record.length
      else {
        throw NetconvError.missingEntry(record.file, length: record.length)
          .inTensor(record.role).inLayer(record.layer).inFile(archive.file.path)
      }
      guard record.archiveOffset == entry.dataOffset else {
        throw NetconvError.wrongArchiveOffset(record.archiveOffset, found: entry.dataOffset)
          .inTensor(record.role).inLayer(record.layer).inFile(archive.file.path)
      }
      copies.append(
        ConvertedSource.Copy(
          record: record, file: archive.file,
          range: entry.dataRange))
    }
    return copies
  }
}
