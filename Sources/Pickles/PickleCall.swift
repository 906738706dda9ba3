/// Something that Python would do with a name while it loads a pickle.
public struct PickleCall: Sendable, Equatable {
  /// What Python would do.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Import the module and look the name up.
    case `import`
    /// Call the function or class.
    case call
    /// Make an object of the class without its initialiser.
    case new
    /// Give a state to what the name has made.
    case state
  }

  /// What Python would do.
  public let kind: Kind
  /// The module and the name: `collections.OrderedDict`.
  public let name: String
  /// The module; empty of what is no name.
  public let module: String
  /// How often.
  public internal(set) var count: Int
  /// The first byte that asks for it, counted from the beginning of the pickle.
  public let offset: Int
}
