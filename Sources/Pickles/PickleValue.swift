/// A value in a pickle; values that contain others, or are shared, are objects of the pickle.
public enum PickleValue: Sendable, Equatable {
  /// `None`.
  case none
  /// A Boolean.
  case bool(Bool)
  /// An integer of at most 64 bits.
  case integer(Int)
  /// A wider integer, whose value is not kept.
  case wideInteger
  /// A 64-bit float.
  case float(Double)
  /// A string.
  case text(String)
  /// Bytes, or a Python 2 string that is not UTF-8: an index in ``Pickle/byteStrings``.
  case bytes(Int)
  /// An object: an index in ``Pickle/objects``.
  case object(Int)
}

/// The bytes of a byte string, or their location.
public enum PickleBytes: Sendable, Equatable {
  /// A range in the file that contains the pickle.
  case place(Range<Int>)
  /// Bytes that are stored in an encoded form.
  case memory([UInt8])

  /// The number of bytes.
  public var count: Int {
    switch self {
    case .place(let range): range.count
    case .memory(let bytes): bytes.count
    }
  }
}

/// The name of a function or class.
public struct PickleName: Sendable, Equatable {
  /// The module from which Python would import it: `torch`.
  public let module: String
  /// The name in the module: `FloatStorage`.
  public let name: String
  /// The qualified name: `torch.FloatStorage`.
  public let path: String

  init(module: String, name: String) {
    self.module = module
    self.name = name
    path = module + "." + name
  }
}

/// An object in a pickle: a collection, or the result of a call.
///
/// It is inert, since nothing is called.
public struct PickleObject: Sendable {
  /// The kind of object.
  public enum Kind: Sendable, Equatable {
    /// A list.
    case list
    /// A tuple.
    case tuple
    /// A dictionary.
    case dictionary
    /// A set.
    case set
    /// A frozen set.
    case frozenSet
    /// A function or class: an index in ``Pickle/names``. Nothing is imported.
    case global(Int)
    /// An entry of Python's extension registry.
    case registered(Int)
    /// A persistent object outside of the pickle; the only element is its identifier.
    case persistent
    /// The result of calling a function or class. Nothing is called.
    case call(PickleValue, arguments: [PickleValue])
  }

  /// The kind of object.
  public let kind: Kind
  /// The elements of a list, tuple or set, or those that would be added to the result of a call.
  public internal(set) var elements: [PickleValue] = []
  /// Alternating keys and values of a dictionary, or those that would be added to the result of a call.
  public internal(set) var pairs: [PickleValue] = []
  /// The state that would be set on the result of a call.
  public internal(set) var state: PickleValue?

  /// Creates an object with these values.
  public init(kind: Kind, elements: [PickleValue] = [], pairs: [PickleValue] = []) {
    self.kind = kind
    self.elements = elements
    self.pairs = pairs
  }
}
