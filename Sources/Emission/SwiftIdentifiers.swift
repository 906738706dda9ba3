import ModelIR

/// Names of constants, no two of which are equal.
struct SwiftIdentifiers {
  private var names: UniqueNames

  /// Words that no constant can be called.
  private static let reserved: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "loader",
    "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
    "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while", "_",
  ]

  /// Names that are neither words of Swift nor among `taken`.
  init(besides taken: Set<String> = []) {
    names = UniqueNames(separator: "_", besides: Self.reserved.union(taken))
  }

  /// A name like `name` that is not taken yet.
  mutating func next(_ name: String) -> String {
    var identifier = String(
      name.unicodeScalars.map { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
          ? Character(scalar) : "_"
      })
    // A capital could hide a type.
    identifier = identifier.prefix(1).lowercased() + identifier.dropFirst()
    if identifier.first.map({ $0.isNumber }) ?? true { identifier = "_" + identifier }
    return names.next(identifier)
  }
}
