import Files
import ModelIR

/// A Python pickle as inert values, read without Python.
///
/// Nothing is imported, called or loaded. Values refer to objects by index, so that cycles and deep nesting need no
/// special treatment.
public struct Pickle: Sendable {
  /// The stated protocol version; 0 if there is none.
  public internal(set) var version = 0
  /// The root value.
  public internal(set) var root = PickleValue.none
  /// The objects, which can contain values.
  public internal(set) var objects: [PickleObject] = []
  /// The names of functions and classes.
  public internal(set) var names: [PickleName] = []
  /// The byte strings, or their locations.
  public internal(set) var byteStrings: [PickleBytes] = []
  /// The imports and calls that Python would execute, in the order of first occurrence.
  public internal(set) var calls: [PickleCall] = []
  /// The file that contains the pickle.
  public private(set) var file: RandomAccessFile
  /// The byte range of the pickle in the file.
  public internal(set) var range: Range<Int>

  /// Reads the pickle at the start of `range`, which may extend beyond the pickle.
  ///
  /// - Throws: `badData` if it is damaged, requires data outside of it, or exceeds the limits.
  public init(
    _ file: RandomAccessFile, in range: Range<Int>, limits: PickleLimits = PickleLimits()
  ) throws(NetconvError) {
    self.file = file
    self.range = range
    var machine = PickleMachine(self, limits)
    do throws(NetconvError) {
      try machine.run()
    } catch {
      throw error.after(machine.log.calls).inFile(file.path)
    }
    self = machine.pickle
  }

  /// Returns the object of a value; `nil` if it is not an object.
  public subscript(value: PickleValue) -> PickleObject? {
    if case .object(let index) = value { objects[index] } else { nil }
  }

  /// Returns the bytes of a value; `nil` if it is not a byte string.
  public func bytes(of value: PickleValue) -> PickleBytes? {
    if case .bytes(let index) = value { byteStrings[index] } else { nil }
  }

  /// Returns the function or class that a value refers to; `nil` if it is neither.
  public func global(of value: PickleValue) -> PickleName? {
    guard case .object(let index) = value, case .global(let place) = objects[index].kind else {
      return nil
    }
    return names[place]
  }

  /// Returns the name that a value refers to, such as `torch.FloatStorage`; `nil` if it is not a name.
  public func name(of value: PickleValue) -> String? {
    global(of: value)?.path
  }

  /// Returns the items of a dictionary, or of an object built like one.
  ///
  /// For a duplicate key, the last value is returned at the position of the first, as in Python.
  public func items(of object: PickleObject) -> [(key: PickleValue, value: PickleValue)] {
    guard !object.pairs.isEmpty else { return [] }
    var items: [(key: PickleValue, value: PickleValue)] = []
    var places: [Key: Int] = [:]
    items.reserveCapacity(object.pairs.count / 2)
    places.reserveCapacity(object.pairs.count / 2)
    for index in stride(from: 0, to: object.pairs.count - 1, by: 2) {
      let (key, value) = (object.pairs[index], object.pairs[index + 1])
      if let key = Key(key) {
        if let place = places[key] {
          items[place].value = value
          continue
        }
        places[key] = items.count
      }
      items.append((key, value))
    }
    return items
  }

  /// The equality of keys in Python's dictionaries, where 1 equals `True` and 1.0.
  private enum Key: Hashable {
    case number(Double)
    case integer(Int)
    case text(String)

    init?(_ value: PickleValue) {
      switch value {
      case .bool(let value): self = .integer(value ? 1 : 0)
      case .integer(let value): self = .integer(value)
      case .float(let value): self = Int(exactly: value).map { .integer($0) } ?? .number(value)
      case .text(let value): self = .text(value)
      case .none, .wideInteger, .bytes, .object: return nil
      }
    }
  }
}

/// Limits on the size of a pickle; a larger one is assumed to be an attack.
public struct PickleLimits: Sendable {
  /// The maximum number of operations, each of which creates at most one value.
  public var operations = 1 << 23
  /// The maximum number of objects.
  public var objects = 1 << 21
  /// The maximum total size of all strings, in bytes.
  public var textBytes = 1 << 26
  /// The maximum size of a textual number or a name, in bytes.
  public var lineBytes = 1 << 12

  /// Creates the default limits, which suffice for any network.
  public init() {}
}
