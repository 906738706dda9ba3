import ModelIR

/// The names of layers: the scope of their variables, or of their node.
///
/// `conv1/W` becomes `conv1`. A variable without a scope is ignored, and the layer is named after the operation that reads it.
struct GraphNames {
  /// The nodes from which a layer's name is derived.
  struct Layer {
    /// The node that returns the layer's first value.
    let node: String
    let operation: String
    /// The node of one of its variables.
    let variable: String?
  }

  /// The names, in the order of the layers.
  private(set) var names: [String] = []
  private var taken: UniqueNames

  init(_ layers: [Layer], besides inputs: [String]) {
    let prefix = Self.commonScope(of: layers.map(\.node))
    var wanted: [String: Int] = [:]
    let first = layers.map { layer in
      layer.variable.flatMap { Self.scope(ofVariable: $0) }
        ?? Self.scope(of: String(layer.node.dropFirst(prefix.count)))
    }
    for name in first.compactMap(\.self) { wanted[name, default: 0] += 1 }
    var unique = UniqueNames(separator: "_", from: 1, besides: Set(inputs))
    var given: Set<String> = []
    for (layer, scope) in zip(layers, first) {
      let own = String(layer.node.dropFirst(prefix.count))
      let isVariable = layer.variable.flatMap { Self.scope(ofVariable: $0) } != nil
      if let scope, wanted[scope] == 1 || isVariable && given.insert(scope).inserted {
        names.append(unique.next(scope))
      } else {
        names.append(unique.next(own.isEmpty ? layer.node : own))
      }
    }
    taken = unique
  }

  /// Returns a name that no layer has.
  mutating func unique(_ name: String) -> String { taken.next(name) }

  /// The part of a name before its last component; `nil` if there is none.
  private static func scope(of name: String) -> String? {
    let scope = name.scopeAndLast.scope
    return scope.isEmpty ? nil : scope
  }

  /// The scope of a variable; `nil` for a variable that was frozen under its reader's name.
  private static func scope(ofVariable name: String) -> String? {
    let isNamedAfterReader = ["/ReadVariableOp", "/resource"].contains { name.hasSuffix($0) }
    return isNamedAfterReader ? nil : scope(of: name)
  }

  /// The scope that all names share, with a trailing slash.
  private static func commonScope(of names: [String]) -> String {
    guard let first = names.first else { return "" }
    var parts = first.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    // A single layer keeps its own scope.
    if names.count == 1 { parts = parts.dropLast() }
    for name in names.dropFirst() {
      let own = name.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      let shared = zip(parts, own).prefix { $0 == $1 }.count
      parts = parts.prefix(shared)
    }
    return parts.isEmpty ? "" : parts.joined(separator: "/") + "/"
  }
}
