/// The imports and calls that Python would execute, counted by kind and name.
struct PickleLog {
  private struct Key<Callee: Hashable>: Hashable {
    let kind: PickleCall.Kind
    let callee: Callee
  }

  private(set) var calls: [PickleCall] = []
  /// The indices in ``calls`` by name, and by object.
  private var places: [Key<String>: Int] = [:]
  private var placesOfObjects: [Key<Int>: Int] = [:]

  /// Counts an action.
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

  /// Returns the name of a value that Python would call.
  private static func name(
    of callee: PickleValue, in pickle: Pickle
  ) -> (module: String, name: String) {
    guard let object = pickle[callee] else { return ("", "a value that is not a function") }
    switch object.kind {
    case .global(let place): return (pickle.names[place].module, pickle.names[place].path)
    case .registered(let code): return ("", "extension \(code) of copyreg")
    case .persistent:
      // PyTorch stores the source of a class together with its name.
      let parts = object.elements.first.flatMap { pickle[$0] }?.elements ?? []
      guard let named = parts.first(where: { pickle.name(of: $0) != nil }) else {
        return ("", "an object outside the pickle")
      }
      return name(of: named, in: pickle)
    case .call(let inner, _):
      // The result of a call is named after the callee; nested calls are not followed further.
      return ("", "a result of " + (pickle.name(of: inner) ?? "a call"))
    case .list, .tuple, .dictionary, .set, .frozenSet: return ("", "a value that is not a function")
    }
  }
}
