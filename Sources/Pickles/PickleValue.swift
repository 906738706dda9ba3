/// A value that a pickle describes; what can hold others, or be shared, is an object of the pickle.
public enum PickleValue: Sendable, Equatable {
  /// `None`.
  case none
  /// A truth value.
  case bool(Bool)
  /// A whole number of at most 64 bits.
  case integer(Int)
  /// A whole number of more; which one is not said.
  case wideInteger
  /// A float of 64 bits.
  case float(Double)
  /// A text.
  case text(String)
  /// Bytes, or a text of Python 2 that is no UTF-8: an index of ``Pickle/byteStrings``.
  case bytes(Int)
  /// An index of ``Pickle/objects``.
  case object(Int)
}

/// Bytes of a pickle, or where they are.
public enum PickleBytes: Sendable, Equatable {
  /// A part of the file that the pickle is in.
  case place(Range<Int>)
  /// What was written otherwise than it is.
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
  /// Where Python would import it from: `torch`.
  public let module: String
  /// What it is called there: `FloatStorage`.
  public let name: String
  /// Both: `torch.FloatStorage`.
  public let path: String

  init(module: String, name: String) {
    self.module = module
    self.name = name
    path = module + "." + name
  }
}

/// Something in a pickle that can hold values, or that Python would have made by a call.
///
/// It is inert: nothing was called.
public struct PickleObject: Sendable {
  /// What the object is.
  public enum Kind: Sendable, Equatable {
    /// A list.
    case list
    /// A tuple.
    case tuple
    /// A dictionary.
    case dictionary
    /// A set.
    case set
    /// A set that does not change.
    case frozenSet
    /// A function or class by its name, an index of ``Pickle/names``: nothing is imported.
    case global(Int)
    /// What Python's registry of extensions has under a number.
    case registered(Int)
    /// What is kept outside of the pickle: the only element says what it is.
    case persistent
    /// What a function or class would have given: nothing is called.
    case call(PickleValue, arguments: [PickleValue])
  }

  /// What it is.
  public let kind: Kind
  /// The elements of a list, tuple or set, and those that a call's result would have been given.
  public internal(set) var elements: [PickleValue] = []
  /// Keys and values in turn: of a dictionary, and those that a call's result would have been given.
  public internal(set) var pairs: [PickleValue] = []
  /// What a call's result would have been given as its state.
  public internal(set) var state: PickleValue?

  /// An object of these values.
  public init(kind: Kind, elements: [PickleValue] = [], pairs: [PickleValue] = []) {
    self.kind = kind
    self.elements = elements
    self.pairs = pairs
  }
}
