import Documents
import Files
import ModelIR
import Transforms

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
  /// The same tensors in the folder's other formats.
  public let others: [Copy]
  /// The same tensors in the forms of other frameworks that there are.
  public let foreign: [any ForeignCopies]
  /// The formats that ``tensors`` and ``others`` are in, by their names in the manifest; that of ``tensors`` first.
  public let formats: [String]
  /// Files and folders of containers that the manifest lists and that are gone.
  public let missing: [String]
  /// Where files lie that are neither tensors nor the manifest.
  let companions: Companions

  /// A place with files beside the tensors.
  enum Companions: Sendable {
    case folder(String)
    case container(any OpenContainer)
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
    case .container(let container):
      guard let bytes = try container.companion(name, limit: Self.companionLimit) else {
        throw .missingCompanion(name)
      }
      return bytes
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
  /// - Parameter isAlone: whether all of it is in the one file that was named.
  /// - Throws: `badData` if the network and the tensors of the manifest do not agree.
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
