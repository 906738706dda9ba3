import ModelIR

/// Unique names of variables and arrays in emitted C.
struct CIdentifiers {
  private var names: UniqueNames

  /// Words of C and C++, and names that statements of layers use.
  private static let reserved: Set<String> = [
    // C and C++
    "alignas", "alignof", "and", "and_eq", "asm", "atomic_cancel", "auto", "bitand", "bitor",
    "bool", "break", "case", "catch", "char", "class", "co_await", "co_return", "co_yield", "compl",
    "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype",
    "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export",
    "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
    "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq",
    "private", "protected", "public", "register", "reinterpret_cast", "requires", "restrict",
    "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct",
    "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid",
    "typename", "typeof", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t",
    "while", "xor", "xor_eq", "main", "errno", "linux", "unix", "far", "near", "interrupt",
    // Statements of layers
    "arena", "weights", "from", "to", "window", "step", "place", "i", "x", "rows", "columns",
    "sizes", "strides", "slice_sizes", "slice_strides", "first_strides", "second_strides",
    "row_starts", "row_pixels", "row_shares", "column_starts", "column_pixels", "column_shares",
    "from_step", "to_step", "to_step_1", "to_step_2", "NULL", "NAN", "INFINITY",
    // Functions of math.h that statements call
    "acosf", "acoshf", "asinf", "asinhf", "atanf", "atanhf", "ceilf", "cosf", "coshf", "erfcf",
    "erff", "expf", "expm1f", "fabsf", "floorf", "fmodf", "log1pf", "logf", "nearbyintf", "powf",
    "sinf", "sinhf", "sqrtf", "tanf", "tanhf", "truncf",
  ]

  /// Creates an empty set of names besides `taken`.
  init(besides taken: Set<String>) {
    names = UniqueNames(separator: "_", besides: Self.reserved.union(taken))
  }

  /// Returns an unused identifier derived from `name`.
  mutating func next(_ name: String) -> String {
    var identifier = ""
    for scalar in name.unicodeScalars {
      let fits = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9") ~= scalar)
      // Two underscores in a row are reserved in C++.
      if fits {
        identifier.unicodeScalars.append(scalar)
      } else if identifier.last != "_" {
        identifier += "_"
      }
    }
    while identifier.last == "_" { identifier.removeLast() }
    while identifier.first == "_" { identifier.removeFirst() }
    // A name in capitals may be a macro of a header.
    if identifier == identifier.uppercased() { identifier = identifier.lowercased() }
    // Compilers need not tell identifiers apart that differ behind 63 characters.
    identifier = String(identifier.prefix(40))
    if identifier.last == "_" { identifier.removeLast() }
    if identifier.first.map({ $0.isNumber }) ?? true { identifier = "layer_" + identifier }
    return names.next(identifier)
  }
}

/// The prefix of all names that an emitted network has outside of its source file.
struct CName: Sendable, CustomStringConvertible {
  let description: String
  /// The prefix of macros.
  var macro: String { description.uppercased() }

  /// Creates the prefix `name`.
  ///
  /// - Throws: `usage` if it is no identifier of C and C++.
  init(_ name: String) throws(NetconvError) {
    let fits =
      name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      && name.first?.isLetter == true && !name.contains("__") && name.last != "_"
      && name.count <= 31
    guard fits else { throw .notACName(name) }
    description = name
  }

  /// Returns a prefix made of a file's name.
  static func prefix(for name: String) -> String {
    var identifiers = CIdentifiers(besides: [])
    let prefix = String(identifiers.next(name).prefix(31)).lowercased()
    return prefix.hasSuffix("_") ? String(prefix.dropLast()) : prefix
  }
}

extension NetconvError {
  fileprivate static func notACName(_ name: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(name)) is not a prefix of names in C; use at most 31 letters, digits and single _, and begin with a "
        + "letter")
  }
}
