import Foundation
import TestSupport
import Testing

/// A public function, initializer or subscript, as DocC links to it.
private struct PublicFunction {
  /// The type, such as `Netconv` or `VerifyRequest/Labels`; empty outside of types.
  let type: String
  /// `convert(_:observer:)`.
  let name: String
}

extension Repository {
  /// The modules of the products, which have a catalogue each.
  static let catalogued = ["NetconvKit", "ModelDSL", "ImageFilters", "ModelIR"]

  /// The keywords of declarations; a line that opens a type or declares a function has one of them.
  private static let keywords = [
    "func ", "init", "subscript", "struct ", "enum ", "class ", "actor ", "protocol ", "extension ",
  ]

  /// The public functions of a module, parsed from its sources: indented declarations belong to the type above them.
  fileprivate func publicFunctions(of module: String) throws -> [PublicFunction] {
    let files = try sources().filter { $0.isSwift && $0.module == module }
    return files.flatMap { file -> [PublicFunction] in
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
      var scopes: [(indent: Int, name: String, isPublicProtocol: Bool)] = []
      var found: [PublicFunction] = []
      var isInText = false
      for (index, line) in lines.enumerated() {
        let wasInText = isInText
        if line.ranges(of: "\"\"\"").count % 2 == 1 { isInText.toggle() }
        let code = line.drop { $0 == " " }
        guard !wasInText, !code.isEmpty, !code.hasPrefix("//"), !code.hasPrefix("#") else {
          continue
        }
        let indent = line.count - code.count
        scopes.removeAll { $0.indent >= indent }
        guard Self.keywords.contains(where: code.contains) else { continue }
        if let scope = code.firstMatch(
          of:
            #/^(?:@\w+(?:\([^)]*\))? )*((?:\w+ )*?)(?:struct|enum|class|actor|protocol|extension) ([\w.]+)/#
        ) {
          scopes.append(
            (
              indent, String(scope.output.2.replacing(".", with: "/")),
              code.contains("protocol ") && scope.output.1.contains("public ")
            ))
        } else if let match = code.firstMatch(
          of: #/^(?:@\w+(?:\([^)]*\))? )*((?:\w+ )*)(?:func ([^\s(<]+)|(init|subscript)\b)/#),
          match.output.1.contains("public ") || scopes.last?.isPublicProtocol == true
        {
          let name = match.output.2 ?? match.output.3 ?? ""
          let text = lines[index...].prefix(40).joined(separator: "\n")
          let rest = text.firstRange(of: name).map { text[$0.upperBound...] } ?? text[...]
          found.append(
            PublicFunction(
              type: scopes.map(\.name).joined(separator: "/"),
              name: String(name) + Self.labels(of: rest)))
        }
      }
      return found
    }
  }

  /// The parameter labels at the start of a text, after generic parameters: `(_:observer:)`.
  private static func labels(of text: Substring) -> String {
    guard let open = text.firstIndex(of: "(") else { return "" }
    var depth = 0
    var labels = ""
    var word = ""
    var isAtLabel = true
    for character in text[text.index(after: open)...] {
      switch character {
      case "(", "[", "{", "<": depth += 1
      case ")" where depth == 0: return "(\(labels))"
      case ")", "]", "}": depth -= 1
      case ">" where depth > 0: depth -= 1
      case "," where depth == 0:
        (isAtLabel, word) = (true, "")
        continue
      default: break
      }
      guard depth == 0, isAtLabel else { continue }
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
      } else if !word.isEmpty {
        labels += word + ":"
        isAtLabel = false
      }
    }
    return ""
  }

  /// The names of the types that modules with a catalogue declare outside of others, by module.
  private func declaredTypes() throws -> [String: Set<String>] {
    let kinds = ["struct ", "enum ", "class ", "actor ", "protocol "]
    var types: [String: Set<String>] = [:]
    for file in try sources() where file.isSwift && Self.catalogued.contains(file.module) {
      for line in file.text.split(separator: "\n") where line.first != " " && line.first != "/" {
        guard let kind = kinds.first(where: line.contains), let found = line.firstRange(of: kind)
        else { continue }
        let name = line[found.upperBound...].prefix { $0.isLetter || $0.isNumber }
        types[file.module, default: []].insert(String(name))
      }
    }
    return types
  }

  /// The section of a module's catalogue that lists its functions.
  func catalogue(of module: String) throws -> String {
    let byType = Dictionary(grouping: try publicFunctions(of: module), by: \.type)
    let types = try declaredTypes()
    let items = byType.sorted { $0.key < $1.key }.map { type, functions in
      let root = String(type.prefix { $0 != "/" })
      // What is added to another module's type stands below that module.
      let owner =
        root.isEmpty || types[module]?.contains(root) == true
        ? nil : Self.catalogued.first { types[$0]?.contains(root) == true }
      let path = [owner, type.isEmpty ? nil : type].compactMap(\.self).map { $0 + "/" }.joined()
      return Set(functions.map(\.name)).sorted().map { "- ``\(path)\($0)``\n" }.joined()
    }
    return items.joined()
  }

  /// The text of a module's catalogue page, and the range of the list in it.
  func cataloguePage(of module: String) throws -> (text: String, list: Range<String.Index>?) {
    let text = try text("Sources/\(module)/\(module).docc/\(module).md")
    let head = "## Every public function\n\n"
    guard let start = text.range(of: head)?.upperBound else { return (text, nil) }
    let end = text[start...].range(of: "\n## ")?.lowerBound ?? text.endIndex
    return (text, start..<end)
  }
}

@Suite(.serialized) struct CatalogueTests {
  /// `make docs` sets `NETCONV_WRITE_DOCS`.
  @Test(arguments: Repository.catalogued)
  func `the catalogue lists every public function; make docs writes it`(module: String) throws {
    let (text, list) = try Repository.here.cataloguePage(of: module)
    let range = try #require(list)
    let expected = try Repository.here.catalogue(of: module)
    if ProcessInfo.processInfo.environment["NETCONV_WRITE_DOCS"] != nil {
      let path = "\(Repository.here.root)/Sources/\(module)/\(module).docc/\(module).md"
      try text.replacingCharacters(in: range, with: expected)
        .write(toFile: path, atomically: true, encoding: .utf8)
    } else {
      #expect(text[range] == expected, "the catalogue of \(module) is stale; run make docs")
    }
  }

  @Test func `products have no other modules`() throws {
    let package = try Repository.here.text("Package.swift")
    let products = package.matches(of: #/\.library\(name: "\w+", targets: \[([^\]]+)\]\)/#)
      .flatMap { $0.output.1.matches(of: #/\w+/#).map { String($0.output) } }
    #expect(Set(products) == Set(Repository.catalogued))
  }

  @Test func `functions are found with their types and labels`() throws {
    let copy = try Copy()
    try copy.folder.write(
      """
      public struct Wire {
        public init(
          _ text: String, inside: [Int: (Int, Int)] = [:], by rule: (Int) -> Int
        ) {}
        init(hidden: Int) {}
        public enum Kind {
          @discardableResult
          public static func of<T: Hashable>(_ value: T) -> Kind {
            func inner() {}
          }
        }
        public subscript(row: Int) -> Int { 0 }
      }

      /// public func no(_ a: Int)
      let text = \"""
        public func neither() {
        \"""

      extension Model {
        public func there() {}
        package func not() {}
      }

      public protocol Asked {
        func asked(for count: Int)
      }

      public func --> (a: Int, b: Int) -> Int { 0 }

      """, to: "Sources/ImageFilters/Wire.swift")
    let list = try copy.repository.catalogue(of: "ImageFilters").split(separator: "\n")
    let expected = [
      "- ``-->(a:b:)``", "- ``Asked/asked(for:)``", "- ``Wire/init(_:inside:by:)``",
      "- ``Wire/Kind/of(_:)``", "- ``Wire/subscript(row:)``",
    ]
    #expect(expected.filter { !list.contains(Substring($0)) } == [])
    #expect(list.contains { $0.hasSuffix("Model/there()``") })
    #expect(
      list.filter {
        $0.contains("not()") || $0.contains("hidden") || $0.contains("neither")
          || $0.contains("inner")
      } == [])
  }
}
