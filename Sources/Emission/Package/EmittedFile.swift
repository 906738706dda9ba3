/// A file of source text.
public struct EmittedFile: Sendable, Equatable {
  /// The path, relative to the package's folder.
  public let path: String
  /// The contents.
  public let text: String
}

extension EmittedFile {
  /// Joins Swift files into one: a comment, all imports, then the declarations.
  ///
  /// Each of `files` has its imports at the top, one per line.
  public static func joined(_ files: [EmittedFile], remark: String) -> String {
    var imports: Set<Substring> = []
    let declarations = files.map { file in
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
      let head = lines.prefix { $0.isEmpty || $0.hasPrefix("import ") }
      imports.formUnion(head.filter { !$0.isEmpty })
      return lines[head.endIndex...].joined(separator: "\n")
    }
    let head =
      ["// swift-format-ignore-file", "// " + remark, ""] + imports.sorted().map(String.init)
    return head.joined(separator: "\n") + "\n\n" + declarations.joined(separator: "\n")
  }
}
