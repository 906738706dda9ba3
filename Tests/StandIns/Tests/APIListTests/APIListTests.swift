import Foundation
import StandIns
import Testing

@Suite struct APIListTests {
  private static let modules = [
    "CoreGraphics", "CoreVideo", "CryptoKit", "Metal", "MetalKit", "MetalPerformanceShaders",
    "MetalPerformanceShadersGraph",
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

  /// What a type conforms to gives it members that no list names.
  @Test(arguments: modules)
  func `types conform to what the language and NSObject give them, and to nothing else`(
    _ module: String
  ) throws {
    let enumeration: Set = ["Equatable", "Hashable", "RawRepresentable"]
    let object: Set = [
      "CustomDebugStringConvertible", "CustomStringConvertible", "CVarArg", "Equatable", "Hashable",
      "NSCoding", "NSCopying", "NSObjectProtocol", "NSSecureCoding",
    ]
    let options = enumeration.union(["ExpressibleByArrayLiteral", "OptionSet", "SetAlgebra"])
      .subtracting(["Hashable"])
    for (type, found) in try SymbolGraph.extract(module).conformances() {
      let expected: Set<String> =
        switch type.kind {
        // CAMetalLayer.h: @protocol CAMetalDrawable <MTLDrawable>
        case "swift.protocol" where type.name == "CAMetalDrawable": object.union(["MTLDrawable"])
        // MPSCommandBuffer.h: @interface MPSCommandBuffer : NSObject <MTLCommandBuffer>
        case "swift.class" where type.name == "MPSCommandBuffer": object.union(["MTLCommandBuffer"])
        case "swift.class", "swift.protocol": object
        case "swift.enum": enumeration
        case "swift.struct" where found.contains("OptionSet"): options
        case "swift.struct" where type.name == "SHA256Digest": ["Sequence"]
        default: []
        }
      #expect(found.subtracting(expected) == [], "\(type.name)")
    }
  }

  /// Symbol graphs leave out what begins with an underscore.
  @Test(arguments: modules)
  func `nothing public begins with an underscore`(_ module: String) throws {
    let folder = APIList.folder.appending(path: "\(module)/Sources")
    let hidden =
      /\b(?:public|open)\b[^={}]*\b(?:func|var|let|class|struct|enum|protocol|typealias) _/
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      #expect(text.firstMatch(of: hidden) == nil && !text.contains("@_spi"), "\(file)")
    }
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
