import Documents
import Files
import ModelIR
import Transforms

/// An output of netconv: its manifest and the locations of its tensors.
public struct ConvertedSource: Sendable {
  /// A stored copy of a tensor.
  public struct Copy: Sendable {
    /// The tensor's record in the manifest.
    public let record: TensorRecord
    /// The file that contains the copy.
    public let file: RandomAccessFile
    /// The byte range of the copy in `file`.
    public let range: Range<Int>
  }

  /// The manifest of the output.
  public let manifest: Manifest
  /// The copies that the network reads.
  public let tensors: [Copy]
  /// Copies of the same tensors in the other formats of the folder.
  public let others: [Copy]
  /// Copies of the same tensors in the formats of other frameworks.
  public let foreign: [any ForeignCopies]
  /// The formats of ``tensors`` and ``others`` by their names in the manifest, starting with that of ``tensors``.
  public let formats: [String]
  /// Files and folders of containers that the manifest lists but that do not exist.
  public let missing: [String]
  /// The location of the companion files, which are neither tensors nor the manifest.
  let companions: Companions

  /// A folder or container with companion files.
  enum Companions: Sendable {
    case folder(String)
    case container(any OpenContainer)
  }

  /// The maximum size of a companion file.
  private static let companionLimit = 1 << 30

  /// Returns the bytes of a companion file, such as the goldens.
  ///
  /// - Throws: `badData` if the file is missing; `inputOutput`.
  public func companion(_ name: String) throws(NetconvError) -> [UInt8] {
    switch companions {
    case .folder(let folder):
      guard try Directory.kind(of: folder + "/" + name) == .file else {
        throw .missingCompanion(name)
      }
      return try ContainedPath(name, in: folder).open().contents(limit: Self.companionLimit)
    case .container(let container):
      guard let bytes = try container.companion(name, limit: Self.companionLimit) else {
        throw .missingCompanion(name)
      }
      return bytes
    }
  }
}

extension ConvertedSource.Copy {
  /// The stored values.
  ///
  /// - Throws: `badData` if the dtype is unknown.
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

/// Common functions of the two readers of converted models.
enum ConvertedNetwork {
  /// Creates the network of a manifest whose tensors are at the locations in `copies`.
  ///
  /// - Parameter isAlone: True if everything is in the file that the user named.
  /// - Throws: `badData` if the network and the tensors of the manifest disagree.
  static func network(
    _ manifest: Manifest, _ copies: [ConvertedSource.Copy], isAlone: Bool = false
  ) throws(NetconvError) -> Network {
    var byPath: [String: ConvertedSource.Copy] = [:]
    for copy in copies { byPath[copy.record.place.path] = copy }
    let source = { (parameter: ParameterDocument) throws(NetconvError) -> any TensorSource in
      guard let copy = byPath[parameter.path] else { throw .notInManifest(parameter.path) }
      return try parameter.quantized(copy.values) { scale throws(NetconvError) in
        guard let copy = byPath[scale.path] else { throw .notInManifest(scale.path) }
        return try copy.values
      }
    }
    let hasNames = Target.all.contains { $0.name == manifest.target && $0.hasDottedNames }
    return switch try ManifestAgreement(manifest).checkedContent() {
    case .model(let document):
      .model(try Model(document, isAlone: isAlone, source: source).dequantized())
    case .weights(let document):
      .weights(
        try Weights(document, isAlone: isAlone, source: source) { parameter in
          hasNames ? byPath[parameter.path]?.record.name : nil
        }.dequantized())
    }
  }
}

extension NetconvError {
  fileprivate static func missingCompanion(_ file: String) -> NetconvError {
    NetconvError(
      .badData,
      "the manifest names \(quoted(file)), which is missing; convert the model again")
  }
}
