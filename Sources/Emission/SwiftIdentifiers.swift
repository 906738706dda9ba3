import ModelIR

/// Names of constants, no two of which are equal.
struct SwiftIdentifiers {
  private var names: UniqueNames

  /// Words that no constant can be called, or that mean something else at the beginning of an expression, and functions
  /// that a constant of their name would hide.
  private static let reserved: Set<String> = [
    "any", "as", "associatedtype", "async", "autoreleasepool", "await", "break", "case", "catch",
    "class", "consume", "continue", "copy", "default", "defer", "deinit", "discard", "do", "each",
    "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
    "if", "import", "in", "init", "inout", "internal", "is", "let", "loader", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "some", "static", "struct", "subscript", "super", "switch", "then", "throw", "throws", "true",
    "try", "type", "typealias", "unsafe", "var", "where", "while", "yield", "zip", "_",
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
