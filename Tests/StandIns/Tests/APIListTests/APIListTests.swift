import Foundation
import StandIns
import Testing

@Suite struct APIListTests {
  private static let modules = [
    "CryptoKit", "Metal", "MetalPerformanceShaders", "MetalPerformanceShadersGraph",
  ]

  @Test(arguments: modules)
  func `a module declares what is in the list, and the list what the module declares`(
    _ module: String
  ) throws {
    let listed = Set(try APIList.load().declarations(of: module))
    let declared = Set(try SymbolGraph.extract(module).declarations())
    #expect(!listed.isEmpty)
    #expect(declared.subtracting(listed).sorted() == [], "declared, but not in apple-api.json")
    #expect(listed.subtracting(declared).sorted() == [], "in apple-api.json, but not declared")
  }

  @Test func `the list has the modules that there are stand-ins for`() throws {
    let manifests = try FileManager.default.contentsOfDirectory(atPath: APIList.folder.path)
      .filter { name in
        let manifest = APIList.folder.appending(path: "\(name)/Package.swift").path
        return FileManager.default.fileExists(atPath: manifest)
      }
    #expect(manifests.sorted() == Self.modules)
    #expect(try APIList.load().modules.keys.sorted() == Self.modules)
  }

  @Test func `entries are whole, and none is there twice`() throws {
    for (module, entries) in try APIList.load().modules {
      #expect(Set(entries.map { $0.symbol + $0.declaration }).count == entries.count, "\(module)")
      for entry in entries {
        #expect(entry.page.hasPrefix("https://developer.apple.com/documentation/"))
        #expect(entry.page == entry.page.lowercased(), "\(entry.symbol)")
        #expect(entry.confirmed || entry.note != nil, "\(entry.symbol) is doubtful without a note")
        for version in [entry.macOS, entry.iOS].compactMap({ $0 }) {
          #expect(version.allSatisfy { $0.isNumber || $0 == "." }, "\(entry.symbol): \(version)")
        }
      }
    }
  }

  @Test func `spellings that mean the same are the same`() {
    func same(_ first: String, _ second: String) -> Bool {
      Declaration(symbol: "A.b", spelling: first) == Declaration(symbol: "A.b", spelling: second)
    }
    #expect(same("convenience init?(b: Int)", "required init?(b: Int)"))
    #expect(same("let b: Int", "var b: Int { get }"))
    #expect(same("var b: Int", "var b: Int { get set }"))
    #expect(same("class A : B, C", "class A : C, B"))
    #expect(!same("let b: Int", "var b: Int"))
    #expect(!same("class A : B", "class A : C"))
    #expect(!same("func b(_ c: Int)", "func b(c: Int)"))
  }
}
