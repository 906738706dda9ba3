/// A file of source text.
public struct EmittedFile: Sendable, Equatable {
  /// Where it goes, from the package's folder on.
  public let path: String
  /// What is in it.
  public let text: String
}

extension EmittedFile {
  /// Several files of Swift's source as one: a remark, what any of them imports, and then what they declare.
  ///
  /// Imports stand at the top of each of `files`, a line each.
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
