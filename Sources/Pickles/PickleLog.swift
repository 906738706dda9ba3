/// What Python would do with names, each kind once for each name.
struct PickleLog {
  private struct Key: Hashable {
    let kind: PickleCall.Kind
    let name: String
  }

  private(set) var calls: [PickleCall] = []
  private var places: [Key: Int] = [:]

  /// Notes one more.
  mutating func note(
    _ kind: PickleCall.Kind, _ callee: PickleValue, in pickle: Pickle, at offset: Int
  ) {
    let (module, name) = Self.name(of: callee, in: pickle)
    let key = Key(kind: kind, name: name)
    if let place = places[key] {
      calls[place].count += 1
    } else {
      places[key] = calls.count
      calls.append(PickleCall(kind: kind, name: name, module: module, count: 1, offset: offset))
    }
  }

  /// What a value is called that Python would call.
  private static func name(
    of callee: PickleValue, in pickle: Pickle
  ) -> (module: String, name: String) {
    guard let object = pickle[callee] else { return ("", "a value that is no function") }
    switch object.kind {
    case .global(let module, let name): return (module, module + "." + name)
    case .registered(let code): return ("", "extension \(code) of copyreg")
    case .persistent:
      // PyTorch keeps the source of a class with its name.
      let parts = object.elements.first.flatMap { pickle[$0] }?.elements ?? []
      guard let named = parts.first(where: { pickle.name(of: $0) != nil }) else {
        return ("", "an object outside of the pickle")
      }
      return name(of: named, in: pickle)
    case .call(let inner, _):
      // What a call has given is called by what gave it; deeper than that nobody looks.
      return ("", "a result of " + (pickle.name(of: inner) ?? "a call"))
    case .list, .tuple, .dictionary, .set, .frozenSet: return ("", "a value that is no function")
    }
  }
}
