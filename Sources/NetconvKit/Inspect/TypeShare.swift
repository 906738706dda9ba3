import ModelIR
import Readers

extension InspectReport {
  /// The share of a network's weights that has a given dtype.
  public struct TypeShare: Sendable, Encodable {
    /// The dtype of the tensors.
    public let dtype: String
    /// The number of tensors.
    public private(set) var tensors = 0
    /// The number of values.
    public private(set) var parameterCount = 0
    /// The size in bytes, as stored.
    public private(set) var bytes = 0
  }

  /// An entry of a file's metadata.
  public struct MetadataRow: Sendable, Encodable {
    /// The key in the file.
    public let key: String
    /// The format's name of the value's type.
    public let type: String
    /// The value as text; arrays and long strings are truncated.
    public let text: String
  }
}

extension InspectReport.TypeShare {
  /// Returns the share of each dtype, the largest first; `nil` if all tensors have ordinary element types.
  static func all(of tensors: [Tensor]) -> [InspectReport.TypeShare]? {
    guard tensors.contains(where: { $0.stored.kind != nil }) else { return nil }
    var shares: [String: InspectReport.TypeShare] = [:]
    for tensor in tensors {
      let name = tensor.stored.typeName
      shares[name, default: InspectReport.TypeShare(dtype: name)].add(tensor)
    }
    return shares.values.sorted { ($1.bytes, $0.dtype) < ($0.bytes, $1.dtype) }
  }

  private mutating func add(_ tensor: Tensor) {
    tensors += 1
    parameterCount += tensor.count
    bytes += tensor.storedByteCount
  }
}

extension InspectReport.MetadataRow {
  init(_ fact: SourceFact) {
    self.init(key: fact.key, type: fact.type, text: fact.text)
  }
}

extension Tensor {
  /// The size in bytes, as stored.
  var storedByteCount: Int {
    stored.kind?.byteCount ?? count * stored.source.elementType.byteCount
  }
}
