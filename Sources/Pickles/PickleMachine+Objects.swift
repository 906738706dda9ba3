import ModelIR

// Collections, names, and calls.

extension PickleMachine {
  /// Creates a collection from values on the stack.
  mutating func collect() throws(NetconvError) {
    switch opcode {
    case .emptyList: try push(PickleObject(kind: .list))
    case .emptyTuple: try push(PickleObject(kind: .tuple))
    case .emptyDict: try push(PickleObject(kind: .dictionary))
    case .emptySet: try push(PickleObject(kind: .set))
    case .list: try push(PickleObject(kind: .list, elements: try popToMark()))
    case .tuple: try push(PickleObject(kind: .tuple, elements: try popToMark()))
    case .frozenset: try push(PickleObject(kind: .frozenSet, elements: try popToMark()))
    case .dict: try push(PickleObject(kind: .dictionary, pairs: try pairs()))
    default:
      let count = 1 + Int(opcode.rawValue - PickleOpcode.tuple1.rawValue)
      try push(PickleObject(kind: .tuple, elements: try pop(count)))
    }
  }

  private mutating func pairs() throws(NetconvError) -> [PickleValue] {
    let pairs = try popToMark()
    guard pairs.count.isMultiple(of: 2) else { throw error("has a key without a value") }
    return pairs
  }

  /// Adds values to the collection below them.
  mutating func addItems() throws(NetconvError) {
    switch opcode {
    case .append: try add([try pop()], to: .list)
    case .appends: try add(try popToMark(), to: .list)
    case .additems: try add(try popToMark(), to: .set)
    case .setitem:
      let value = try pop()
      try add([try pop(), value], to: .dictionary)
    default: try add(try pairs(), to: .dictionary)
    }
  }

  /// Adds values to a collection, or to the result of a call, which may be a subclass of a collection.
  private mutating func add(
    _ values: [PickleValue], to kind: PickleObject.Kind
  ) throws(NetconvError) {
    let owner = try pop()
    push(owner)
    guard case .object(let index) = owner else { throw error("finds no collection to add to") }
    // Only the kind is read: copying the object would make every append copy all elements.
    let found = pickle.objects[index].kind
    let isCall = if case .call = found { true } else { false }
    guard isCall || found == kind else { throw error("finds no collection to add to") }
    change(index) { object in
      if kind == .dictionary { object.pairs += values } else { object.elements += values }
    }
  }

  // MARK: - Names

  /// Pushes a name, whose module Python would import.
  mutating func lookUp() throws(NetconvError) {
    switch opcode {
    case .global:
      let module = try line()
      try push(PickleName(module: module, name: try line()))
    case .stackGlobal:
      guard case .text(let name) = try pop(), case .text(let module) = try pop() else {
        throw error("finds no names on the stack")
      }
      try push(PickleName(module: module, name: name))
    case .ext1: try push(PickleObject(kind: .registered(Int(try input.number(bytes: 1)))))
    case .ext2: try push(PickleObject(kind: .registered(Int(try input.number(bytes: 2)))))
    default: try push(PickleObject(kind: .registered(Int(try input.number(bytes: 4)))))
    }
    let name = try pop()
    push(name)
    note(.import, name)
  }

  mutating func persist() throws(NetconvError) {
    let id = opcode == .persid ? .text(try line()) : try pop()
    try push(PickleObject(kind: .persistent, elements: [id]))
  }

  // MARK: - Calls

  mutating func call() throws(NetconvError) {
    let callee: PickleValue
    let arguments: [PickleValue]
    switch opcode {
    case .inst:
      let module = try line()
      try push(PickleName(module: module, name: try line()))
      callee = try pop()
      note(.import, callee)
      arguments = try popToMark()
    case .obj:
      let values = try popToMark()
      guard let first = values.first else { throw error("finds no class on the stack") }
      callee = first
      arguments = Array(values.dropFirst())
    case .newobjEx:
      let named = try pop()
      let plain = try elements(of: try pop())
      callee = try pop()
      // Each of these calls copies a tuple, possibly the same long one.
      copiedArguments += plain.count
      guard copiedArguments <= limits.operations else {
        throw .pickleTooLarge("arguments of calls", limit: limits.operations, at: offset)
      }
      arguments = plain + [named]
    default:
      arguments = try elements(of: try pop())
      callee = try pop()
    }
    note(opcode == .newobj || opcode == .newobjEx ? .new : .call, callee)
    try push(PickleObject(kind: .call(callee, arguments: arguments)))
  }

  private mutating func elements(of value: PickleValue) throws(NetconvError) -> [PickleValue] {
    guard let object = pickle[value], object.kind == .tuple || object.kind == .list else {
      throw error("finds no tuple of arguments on the stack")
    }
    return object.elements
  }

  /// Stores the state of the object that a call would create.
  mutating func build() throws(NetconvError) {
    let state = try pop()
    let owner = try pop()
    push(owner)
    guard case .object(let index) = owner else { throw error("finds no object for a state") }
    switch pickle.objects[index].kind {
    case .call(let callee, _): note(.state, callee)
    case .global, .registered, .persistent: note(.state, owner)
    case .list, .tuple, .dictionary, .set, .frozenSet:
      throw error("finds no object for a state")
    }
    guard pickle.objects[index].state == nil else { throw error("sets a second state") }
    change(index) { $0.state = state }
  }
}
