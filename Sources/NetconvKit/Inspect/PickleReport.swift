import Readers

/// The operations that Python would perform to load the pickles of a file; netconv performs none of them.
public struct PickleReport: Sendable, Encodable {
  /// The number of calls that Python would make.
  public let calls: Int
  /// Names other than the constructors of PyTorch, NumPy and collections; each could run any code.
  public let outside: [String]
  /// All names, in the order of the file.
  public let names: [Name]

  /// A name, and the operation that Python would perform on it.
  public struct Name: Sendable, Encodable {
    /// The module and the name: `collections.OrderedDict`.
    public let name: String
    /// `import`, `call`, `new` for an object made without its initialiser, or `state` for setting its state.
    public let kind: String
    /// The number of occurrences.
    public let count: Int
    /// The pickle that contains it.
    public let pickle: String
    /// The offset of the first occurrence, in bytes from the start of the pickle.
    public let offset: Int
    /// True if the name is not one of the known constructors.
    public let isOutside: Bool
  }
}

extension PickleReport {
  init(_ scan: PickleScan) {
    calls = scan.callCount
    outside = scan.outside
    names = scan.names.map { name in
      Name(
        name: name.call.name, kind: name.call.kind.rawValue, count: name.call.count,
        pickle: name.pickle, offset: name.call.offset, isOutside: name.isOutside)
    }
  }
}
