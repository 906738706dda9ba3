import ModelIR

/// Texts of Swift's source.
package enum SwiftText {
  /// A literal of `text`.
  package static func literal(_ text: String) -> String {
    var literal = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": literal += "\\\(scalar)"
      case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value):
        literal += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return "\"\(literal)\""
  }

  /// Words that no constant can be called.
  private static let reserved: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "loader",
    "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
    "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while", "_",
  ]

  /// A constant's name for each of `names`, in order; no two are equal, and none is a word of Swift or one of `taken`.
  package static func identifiers(
    _ names: [String], besides taken: Set<String> = []
  ) -> [String] {
    var taken = reserved.union(taken)
    return names.map { name in
      var identifier = String(
        name.unicodeScalars.map { scalar in
          scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            ? Character(scalar) : "_"
        })
      // A capital could hide a type.
      identifier = identifier.prefix(1).lowercased() + identifier.dropFirst()
      if identifier.first.map({ $0.isNumber }) ?? true { identifier = "_" + identifier }
      var unique = identifier
      var number = 2
      while !taken.insert(unique).inserted {
        unique = "\(identifier)_\(number)"
        number += 1
      }
      return unique
    }
  }
}
