import Foundation

/// apple-api.json: what Apple's SDK declares.
struct APIList: Decodable {
  struct Entry: Decodable {
    let symbol: String
    let declaration: String
    let macOS: String?
    let iOS: String?
    let page: String
    let confirmed: Bool
    let note: String?
  }

  let about: String
  let modules: [String: [Entry]]

  /// The folder of the stand-ins.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func load() throws -> APIList {
    let file = folder.appending(path: "apple-api.json")
    return try JSONDecoder().decode(APIList.self, from: Data(contentsOf: file))
  }
}

/// A module's public symbols, as `swift symbolgraph-extract` gives them.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable { let identifier: String }
    struct Name: Decodable { let precise: String }
    struct Fragment: Decodable { let spelling: String }
    let kind: Kind
    let identifier: Name
    let pathComponents: [String]
    let declarationFragments: [Fragment]
  }

  struct Relationship: Decodable {
    let source: String
    let target: String
    let targetFallback: String?
    let kind: String
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let symbols: [Symbol]
  let relationships: [Relationship]

  /// Of a module that was built beside this test.
  ///
  /// - Throws: also if the module extends types of others, which would be in no list.
  static func extract(_ module: String) throws -> SymbolGraph {
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "symbolgraph-extract", "-module-name", module, "-target", target,
      "-I", products.appending(path: "Modules").path, "-output-dir", folder.path,
      "-minimum-access-level", "public", "-skip-synthesized-members",
    ]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        description:
          "swift symbolgraph-extract, a part of Swift's toolchain, exits with \(process.terminationStatus)"
      )
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    guard files == ["\(module).symbols.json"] else {
      throw Failure(description: "\(module) extends types of other modules: \(files.sorted())")
    }
    let file = folder.appending(path: files[0])
    return try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
  }

  private static var target: String {
    #if arch(arm64)
      "aarch64-unknown-linux-gnu"
    #else
      "x86_64-unknown-linux-gnu"
    #endif
  }
}
