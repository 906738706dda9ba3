/// A declaration in one spelling, whether it is from the list or from a symbol graph.
///
/// What differs between a framework of Objective-C and its stand-in, and means nothing to who uses it, is dropped:
/// attributes of initialisers and overrides, `optional` requirements (they have a default here), and whether a property
/// that cannot be set is stored.
struct Declaration: Hashable, Comparable, CustomStringConvertible {
  let symbol: String
  let spelling: String

  var description: String { "\(symbol): \(spelling)" }

  static func < (left: Declaration, right: Declaration) -> Bool {
    (left.symbol, left.spelling) < (right.symbol, right.spelling)
  }

  init(symbol: String, spelling: String) {
    self.symbol = symbol
    var words = spelling.split(separator: " ").map(String.init)
    while let first = words.first,
      ["convenience", "required", "override", "optional"].contains(first)
    {
      words.removeFirst()
    }
    if words.starts(with: ["class", "var"]) { words[0] = "static" }
    if words.first == "let", symbol.contains("."), !symbol.hasSuffix(".rawValue") {
      words[0] = "var"
      words += ["{", "get", "}"]
    }
    if words.suffix(4) == ["{", "get", "set", "}"] { words.removeLast(4) }
    self.spelling = Self.sortingParents(of: words).joined(separator: " ")
  }

  /// `class A : B, C` with its parents in the order of the alphabet.
  private static func sortingParents(of words: [String]) -> [String] {
    guard let kind = words.first, ["class", "protocol", "enum", "struct"].contains(kind),
      words.count > 3, words[2] == ":"
    else { return words }
    let parents = words[3...].map { $0.trimmingPrefix(while: { $0 == "," }) }
      .map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
    return words[..<3] + [parents.sorted().joined(separator: ", ")]
  }
}

extension APIList {
  func declarations(of module: String) -> [Declaration] {
    (modules[module] ?? []).map { Declaration(symbol: $0.symbol, spelling: $0.declaration) }
  }
}

extension SymbolGraph {
  /// Without overrides and default implementations, which declare nothing new.
  func declarations() -> [Declaration] {
    let repeated = Set(
      relationships.filter { relationship in
        relationship.kind == "defaultImplementationOf"
          || relationship.kind == "overrides"
      }.map(\.source))
    return symbols.filter {
      !repeated.contains($0.identifier.precise) || $0.pathComponents.last == "init()"
    }.map { symbol in
      let path = symbol.pathComponents.joined(separator: ".")
      let spelling = symbol.declarationFragments.map(\.spelling).joined()
      return Declaration(symbol: path, spelling: spelling + parents(of: symbol, spelling))
    }
  }

  /// What the graph tells apart from the declaration: a class's superclass and what it copies, an enumeration's raw type.
  private func parents(of symbol: Symbol, _ spelling: String) -> String {
    let kind = spelling.split(separator: " ").first ?? ""
    func related(_ kind: String, _ source: String) -> [Relationship] {
      relationships.filter { $0.kind == kind && $0.source == source }
    }
    func names(_ kind: String) -> [String] {
      related(kind, symbol.identifier.precise).compactMap(name)
    }
    var parents: [String] = []
    switch kind {
    case "class":
      guard !spelling.contains("func "), !spelling.contains("var ") else { return "" }
      let inherited = related("inheritsFrom", symbol.identifier.precise)
        .flatMap { related("conformsTo", $0.target) }.compactMap(name)
      parents =
        names("inheritsFrom")
        + names("conformsTo").filter {
          ["NSCopying", "MPSNNPadding"].contains($0) && !inherited.contains($0)
        }
    case "struct": parents = names("conformsTo").filter { $0 == "OptionSet" }
    case "enum":
      let raw = symbols.first {
        $0.pathComponents == symbol.pathComponents + ["init(rawValue:)"]
      }
      let type = raw?.declarationFragments.map(\.spelling).joined()
        .split(separator: ":").last?.dropLast()
      parents = type.map { [$0.trimmingPrefix(while: \.isWhitespace).description] } ?? []
    default: return ""
    }
    return parents.isEmpty ? "" : " : " + parents.joined(separator: ", ")
  }

  private func name(of relationship: Relationship) -> String? {
    if let own = symbols.first(where: { $0.identifier.precise == relationship.target }) {
      return own.pathComponents.last
    }
    return relationship.targetFallback?.split(separator: ".").last.map(String.init)
  }
  /// A type, as the kinds of symbols are called.
  struct TypeName: Hashable {
    let kind: String
    let name: String
  }

  /// The protocols of other modules that each type conforms to; `Sendable` gives no members.
  func conformances() -> [TypeName: Set<String>] {
    var conformances: [TypeName: Set<String>] = [:]
    for relationship in relationships where relationship.kind == "conformsTo" {
      guard let type = symbols.first(where: { $0.identifier.precise == relationship.source }),
        let target = relationship.targetFallback?.split(separator: ".").last.map(String.init),
        target != "Sendable", target != "SendableMetatype"
      else { continue }
      let name = TypeName(
        kind: type.kind.identifier, name: type.pathComponents.joined(separator: "."))
      conformances[name, default: []].insert(target)
    }
    return conformances
  }
}
