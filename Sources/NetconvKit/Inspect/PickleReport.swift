import Readers

/// What Python would do while it loads the pickles of a file; netconv has done none of it.
public struct PickleReport: Sendable, Encodable {
  /// The calls that Python would make.
  public let calls: Int
  /// Names that are none of the constructors of PyTorch, NumPy and collections: each could do anything.
  public let outside: [String]
  /// Every name, in the order of the file.
  public let names: [Name]

  /// A name, and what Python would do with it.
  public struct Name: Sendable, Encodable {
    /// The module and the name: `collections.OrderedDict`.
    public let name: String
    /// `import`, `call`, `new` for an object made without its initialiser, or `state` for the state it is given.
    public let kind: String
    /// How often.
    public let count: Int
    /// Which pickle of the file.
    public let pickle: String
    /// The first byte that asks for it, counted from the beginning of the pickle.
    public let offset: Int
    /// Whether it is none of the constructors.
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
