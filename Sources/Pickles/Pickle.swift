import Files
import ModelIR

/// A pickle as inert values: Python's format for any object, read without Python.
///
/// Nothing is imported, called or loaded. Values refer to objects by their number, so that those that hold themselves,
/// or lie in one another a million deep, are as good as others.
public struct Pickle: Sendable {
  /// The protocol that it states; 0 if it states none.
  public internal(set) var version = 0
  /// What it describes.
  public internal(set) var root = PickleValue.none
  /// What can hold values.
  public internal(set) var objects: [PickleObject] = []
  /// Names of functions and classes.
  public internal(set) var names: [PickleName] = []
  /// Bytes, and where they are.
  public internal(set) var byteStrings: [PickleBytes] = []
  /// What Python would do with names, in the order in which it meets them.
  public internal(set) var calls: [PickleCall] = []
  /// The file that it is in.
  public private(set) var file: RandomAccessFile
  /// The bytes of the file that it takes.
  public internal(set) var range: Range<Int>

  /// Reads the pickle that begins at the first byte of `range`, and may end before the last.
  ///
  /// - Throws: `badData` if it is damaged, needs what lies outside of it, or is larger than ``PickleLimits``.
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

  /// The object that a value is; `nil` if it is none.
  public subscript(value: PickleValue) -> PickleObject? {
    if case .object(let index) = value { objects[index] } else { nil }
  }

  /// The bytes that a value is; `nil` if it is something else.
  public func bytes(of value: PickleValue) -> PickleBytes? {
    if case .bytes(let index) = value { byteStrings[index] } else { nil }
  }

  /// The function or class that a value stands for; `nil` if it is none.
  public func global(of value: PickleValue) -> PickleName? {
    guard case .object(let index) = value, case .global(let place) = objects[index].kind else {
      return nil
    }
    return names[place]
  }

  /// The name that a value stands for, `torch.FloatStorage`; `nil` if it is none.
  public func name(of value: PickleValue) -> String? {
    global(of: value)?.path
  }

  /// The pairs of a dictionary, or of an object that was made as one: of a key that is there twice, the last value
  /// counts, at the place of the first.
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

  /// What Python's dictionaries tell keys apart by, of those that have names: 1 is `True` and 1.0.
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

/// The most that a pickle may ask for; more is taken for an attack.
public struct PickleLimits: Sendable {
  /// Operations: each gives at most one value.
  public var operations = 1 << 23
  /// Objects.
  public var objects = 1 << 21
  /// Bytes of all texts.
  public var textBytes = 1 << 26
  /// Bytes of a number that is written as text, or of a name.
  public var lineBytes = 1 << 12

  /// Enough for any network.
  public init() {}
}
