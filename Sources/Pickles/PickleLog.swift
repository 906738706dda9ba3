/// What Python would do with names, each kind once for each name.
struct PickleLog {
  private struct Key<Callee: Hashable>: Hashable {
    let kind: PickleCall.Kind
    let callee: Callee
  }

  private(set) var calls: [PickleCall] = []
  /// Places in ``calls`` by name, and by the object that has it.
  private var places: [Key<String>: Int] = [:]
  private var placesOfObjects: [Key<Int>: Int] = [:]

  /// Notes one more.
  mutating func note(
    _ kind: PickleCall.Kind, _ callee: PickleValue, in pickle: Pickle, at offset: Int
  ) {
    let object: Key<Int>? =
      if case .object(let index) = callee { Key(kind: kind, callee: index) } else { nil }
    if let place = object.flatMap({ placesOfObjects[$0] }) {
      calls[place].count += 1
      return
    }
    let (module, name) = Self.name(of: callee, in: pickle)
    let key = Key(kind: kind, callee: name)
    let place = places[key] ?? calls.count
    if place == calls.count {
      places[key] = place
      calls.append(PickleCall(kind: kind, name: name, module: module, count: 0, offset: offset))
    }
    calls[place].count += 1
    if let object { placesOfObjects[object] = place }
  }

  /// What a value is called that Python would call.
  private static func name(
    of callee: PickleValue, in pickle: Pickle
  ) -> (module: String, name: String) {
    guard let object = pickle[callee] else { return ("", "a value that is not a function") }
    switch object.kind {
    case .global(let place): return (pickle.names[place].module, pickle.names[place].path)
    case .registered(let code): return ("", "extension \(code) of copyreg")
    case .persistent:
      // PyTorch keeps the source of a class with its name.
      let parts = object.elements.first.flatMap { pickle[$0] }?.elements ?? []
      guard let named = parts.first(where: { pickle.name(of: $0) != nil }) else {
        return ("", "an object outside the pickle")
      }
      return name(of: named, in: pickle)
    case .call(let inner, _):
      // What a call has given is called by what gave it; deeper than that nobody looks.
      return ("", "a result of " + (pickle.name(of: inner) ?? "a call"))
    case .list, .tuple, .dictionary, .set, .frozenSet: return ("", "a value that is not a function")
    }
  }
}
