import ModelIR

/// Unique names of constants.
struct SwiftIdentifiers {
  private var names: UniqueNames

  /// Reserved words, words with a special meaning at the start of an expression, and functions that
  /// a constant of the same name would shadow.
  private static let reserved: Set<String> = [
    "any", "as", "associatedtype", "async", "autoreleasepool", "await", "break", "case", "catch",
    "class", "consume", "continue", "copy", "default", "defer", "deinit", "discard", "do", "each",
    "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
    "if", "import", "in", "init", "inout", "internal", "is", "let", "loader", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "some", "static", "struct", "subscript", "super", "switch", "then", "throw", "throws", "true",
    "try", "type", "typealias", "unsafe", "var", "where", "while", "yield", "zip", "_",
  ]

  /// Creates an empty set of names; Swift's reserved words and `taken` are excluded.
  init(besides taken: Set<String> = []) {
    names = UniqueNames(separator: "_", besides: Self.reserved.union(taken))
  }

  /// Returns an unused identifier derived from `name`.
  mutating func next(_ name: String) -> String {
    var identifier = String(
      name.unicodeScalars.map { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
          ? Character(scalar) : "_"
      })
    // A capitalised name could shadow a type.
    identifier = identifier.prefix(1).lowercased() + identifier.dropFirst()
    if identifier.first.map({ $0.isNumber }) ?? true { identifier = "_" + identifier }
    return names.next(identifier)
  }
}
