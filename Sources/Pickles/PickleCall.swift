/// An import or call that Python would execute while loading a pickle.
public struct PickleCall: Sendable, Equatable {
  /// The kind of action.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Importing the module and looking up the name.
    case `import`
    /// Calling the function or class.
    case call
    /// Creating an instance of the class without its initialiser.
    case new
    /// Setting the state of an object that the name created.
    case state
  }

  /// The kind of action.
  public let kind: Kind
  /// The qualified name: `collections.OrderedDict`.
  public let name: String
  /// The module; empty for values that are not names.
  public let module: String
  /// The number of times.
  public internal(set) var count: Int
  /// The offset of the first occurrence in the pickle.
  public let offset: Int
}
