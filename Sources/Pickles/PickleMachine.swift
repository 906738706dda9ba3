import ModelIR

/// Runs the operations of a pickle on a stack of values like Python, but without side effects.
struct PickleMachine {
  private(set) var pickle: Pickle
  var input: PickleInput
  let limits: PickleLimits
  /// The number of arguments copied for calls.
  var copiedArguments = 0
  private var stack: [PickleValue] = []
  /// The stack positions of the open marks.
  private var marks: [Int] = []
  private var memo = PickleMemo()
  private var textBytes = 0
  private(set) var log = PickleLog()
  /// The current operation and its offset.
  private(set) var opcode = PickleOpcode.stop
  private(set) var offset = 0

  init(_ pickle: Pickle, _ limits: PickleLimits) {
    self.pickle = pickle
    self.limits = limits
    input = PickleInput(pickle.file, pickle.range)
    // Based on the typical density of objects and memo entries in the pickle of a network.
    self.pickle.objects.reserveCapacity(min(pickle.range.count / 16, 1 << 14))
    memo.reserveCapacity(min(pickle.range.count / 12, 1 << 14))
  }

  /// Runs all operations.
  mutating func run() throws(NetconvError) {
    var operations = 0
    repeat {
      offset = input.offset
      let code = try input.byte()
      guard let opcode = PickleOpcode(rawValue: code) else {
        throw .unknownOpcode(code, at: offset)
      }
      self.opcode = opcode
      operations += 1
      guard operations <= limits.operations else {
        throw .pickleTooLarge("operations", limit: limits.operations, at: offset)
      }
      try step()
    } while opcode != .stop
    pickle.root = try pop()
    pickle.calls = log.calls
    pickle.range = pickle.range.lowerBound..<input.position
  }

  /// Creates an error for the current operation.
  func error(_ what: String) -> NetconvError { .pickle(what, opcode, at: offset) }

  private mutating func step() throws(NetconvError) {
    switch opcode {
    case .stop: break
    case .mark: marks.append(stack.count)
    case .pop: try popAny()
    case .popMark: _ = try popToMark()
    case .dup: push(try top())
    case .proto: try setVersion()
    case .frame: try checkFrame()
    case .none: push(.none)
    case .newtrue: push(.bool(true))
    case .newfalse: push(.bool(false))
    case .int, .long, .binint, .binint1, .binint2, .long1, .long4, .float, .binfloat:
      push(try number())
    case .string, .unicode, .binunicode, .shortBinunicode, .binunicode8, .binstring,
      .shortBinstring, .binbytes, .shortBinbytes, .binbytes8, .bytearray8:
      push(try text())
    case .emptyList, .emptyTuple, .emptyDict, .emptySet, .list, .tuple, .tuple1, .tuple2, .tuple3,
      .dict, .frozenset:
      try collect()
    case .append, .appends, .additems, .setitem, .setitems: try addItems()
    case .put, .binput, .longBinput, .memoize: try remember()
    case .get, .binget, .longBinget: push(try remembered())
    case .global, .stackGlobal, .ext1, .ext2, .ext4: try lookUp()
    case .persid, .binpersid: try persist()
    case .reduce, .newobj, .newobjEx, .inst, .obj: try call()
    case .build: try build()
    case .nextBuffer, .readonlyBuffer:
      throw error("needs a buffer outside the file")
    }
  }

  // MARK: - Stack

  mutating func push(_ value: PickleValue) { stack.append(value) }

  /// Pushes a new object.
  mutating func push(_ object: consuming PickleObject) throws(NetconvError) {
    guard pickle.objects.count < limits.objects else {
      throw .pickleTooLarge("objects", limit: limits.objects, at: offset)
    }
    push(.object(pickle.objects.count))
    pickle.objects.append(object)
  }

  /// Pushes a name.
  mutating func push(_ name: PickleName) throws(NetconvError) {
    // A pickle can combine two memoised strings into names repeatedly, so the size of each name counts.
    try count(textOf: name.path.utf8.count)
    pickle.names.append(name)
    try push(PickleObject(kind: .global(pickle.names.count - 1)))
  }

  /// Mutating like all stack operations: a non-mutating function would be passed a copy of the machine, and the next
  /// push would copy the stack.
  private mutating func top() throws(NetconvError) -> PickleValue {
    guard stack.count > marks.last ?? 0, let value = stack.last else {
      throw error("needs more values on the stack")
    }
    return value
  }

  mutating func pop() throws(NetconvError) -> PickleValue {
    let value = try top()
    stack.removeLast()
    return value
  }

  /// Removes and returns the last values.
  mutating func pop(_ count: Int) throws(NetconvError) -> [PickleValue] {
    guard stack.count - count >= marks.last ?? 0 else {
      throw error("needs more values on the stack")
    }
    return take(from: stack.count - count)
  }

  /// Removes and returns the values from a stack position on.
  private mutating func take(from start: Int) -> [PickleValue] {
    var values: [PickleValue] = []
    values.reserveCapacity(stack.count - start)
    // Removing values one by one moves instead of copying them.
    while stack.count > start { values.append(stack.removeLast()) }
    values.reverse()
    return values
  }

  /// Removes the last value, or the last mark if no value is above it.
  private mutating func popAny() throws(NetconvError) {
    if let mark = marks.last, mark == stack.count {
      marks.removeLast()
    } else {
      _ = try pop()
    }
  }

  /// Removes and returns the values above the last mark.
  mutating func popToMark() throws(NetconvError) -> [PickleValue] {
    guard let mark = marks.popLast() else { throw error("finds no mark on the stack") }
    return take(from: mark)
  }

  // MARK: - Memo

  private mutating func remember() throws(NetconvError) {
    let index =
      switch opcode {
      case .put: try memoNumber()
      case .binput: Int(try input.byte())
      case .longBinput: Int(try input.number(bytes: 4))
      default: memo.count
      }
    memo.keep(try top(), at: index)
  }

  private mutating func remembered() throws(NetconvError) -> PickleValue {
    let index =
      switch opcode {
      case .get: try memoNumber()
      case .binget: Int(try input.byte())
      default: Int(try input.number(bytes: 4))
      }
    guard let value = memo[index] else {
      throw error("asks for entry \(index) of the memo, which does not exist")
    }
    return value
  }

  private mutating func memoNumber() throws(NetconvError) -> Int {
    let text = try line()
    guard let number = Int(text), number >= 0 else {
      throw error("has \(quoted(text)), expected the index of a memo entry")
    }
    return number
  }

  // MARK: - Protocol and frames

  private mutating func setVersion() throws(NetconvError) {
    let version = Int(try input.byte())
    guard version <= 5 else { throw error("states protocol \(version), and the newest is 5") }
    pickle.version = version
  }

  /// Checks a frame's length; frames are only relevant for readers of streams.
  private mutating func checkFrame() throws(NetconvError) {
    let length = try input.number(bytes: 8)
    guard length <= UInt64(input.left) else {
      throw error("begins a frame of \(length) bytes, and only \(input.left) are left")
    }
  }

  // MARK: - Lines and objects

  /// Reads the rest of the line, which is a number or a name.
  mutating func line() throws(NetconvError) -> String {
    guard let bytes = try input.line(limit: limits.lineBytes) else {
      throw error("has a line of more than \(limits.lineBytes) bytes")
    }
    guard let text = String(utf8: bytes) else {
      throw error("has a line that is not UTF-8")
    }
    try count(textOf: bytes.count)
    return text
  }

  /// Reads the rest of the line, which is a string of any length.
  mutating func textLine() throws(NetconvError) -> [UInt8] {
    guard let bytes = try input.line(limit: limits.textBytes - textBytes) else {
      throw .pickleTooLarge("bytes of texts", limit: limits.textBytes, at: offset)
    }
    try count(textOf: bytes.count)
    return bytes
  }

  /// Accounts for strings that are kept in memory.
  mutating func count(textOf bytes: Int) throws(NetconvError) {
    guard bytes <= limits.textBytes - textBytes else {
      throw .pickleTooLarge("bytes of texts", limit: limits.textBytes, at: offset)
    }
    textBytes += bytes
  }

  /// Stores bytes or their range as a value.
  mutating func keep(_ bytes: PickleBytes) -> PickleValue {
    pickle.byteStrings.append(bytes)
    return .bytes(pickle.byteStrings.count - 1)
  }

  /// Modifies an object in place.
  mutating func change(_ index: Int, _ body: (inout PickleObject) -> Void) {
    body(&pickle.objects[index])
  }

  /// Records an action of Python on `callee`.
  mutating func note(_ kind: PickleCall.Kind, _ callee: PickleValue) {
    log.note(kind, callee, in: pickle, at: offset)
  }
}

extension NetconvError {
  fileprivate static func unknownOpcode(_ code: UInt8, at offset: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the pickle cannot be read: byte \(offset) is \(hexadecimal([code], separator: "")), which is not an "
        + "operation")
  }
}
