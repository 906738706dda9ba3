/// A static function, or a type, of emitted C, and what it needs of the kind.
struct CFunction: Sendable {
  /// The name.
  let name: String
  /// The whole definition, with a comment.
  let text: String
  /// The functions and types that it uses.
  var uses: [CFunction] = []

  /// Creates the definition of `name`.
  init(_ name: String, uses: [CFunction] = [], _ text: String) {
    self.name = name
    self.text = text
    self.uses = uses
  }
}

extension [CFunction] {
  /// The definitions of all functions, each once and after those that it uses.
  var definitions: [CFunction] {
    var names: Set<String> = []
    var ordered: [CFunction] = []
    func add(_ function: CFunction) {
      guard !names.contains(function.name) else { return }
      for used in function.uses { add(used) }
      names.insert(function.name)
      ordered.append(function)
    }
    for function in self { add(function) }
    return ordered
  }
}
