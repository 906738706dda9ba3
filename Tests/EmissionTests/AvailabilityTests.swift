import Emission
import Foundation
import TestSupport
import Testing

/// Stand-ins have no versions; emitted code may only use symbols of the oldest system that its manifest names.
@Suite struct AvailabilityTests {
  @Test(arguments: PackageLanguage.all.map(\.name))
  func `nothing is newer than the systems that a package is for`(_ name: String) throws {
    let list = try AppleAPI.load()
    for source in ["keras2-residual", "keras2-pooling", "keras2-batch-norm", "keras2-merges"] {
      let package = try PackageTextTests.package(
        Fixtures.path("keras/\(source).h5"), "Net", in: name, pictures: PackageTextTests.steps)
      let manifest = try #require(package.files.first { $0.path == "Package.swift" })
      #expect(try list.tooNew(in: package.files, for: manifest) == [], "\(source)")
    }
  }

  @Test(arguments: EmittedLanguage.packages)
  func `no fixture becomes code for newer systems`(_ language: EmittedLanguage) throws {
    let list = try AppleAPI.load()
    // Most files are those of other fixtures, too: each is looked through once for the systems of its manifest.
    var seen: Set<[String]> = []
    for fixture in try EmittedFixture.all(in: language) {
      let manifest = try #require(fixture.files.first { $0.path == "Package.swift" })
      let files = fixture.files.filter { seen.insert([manifest.text, $0.text]).inserted }
      #expect(try list.tooNew(in: files, for: manifest) == [], "\(fixture.paths[0])")
    }
  }

  @Test func `a use is a name with all labels`() {
    let transpose = AppleAPI.Entry(
      symbol: "MPSGraph.transpose(_:permutation:name:)", macOS: "13.0", iOS: "16.0")
    #expect(transpose.isUsed(in: "graph.transpose(image, permutation: order, name: nil)"))
    #expect(!transpose.isUsed(in: "graph.transposeTensor(image, dimension: 1, name: nil)"))
    #expect(!transpose.isUsed(in: "graph.transpose(image, name: nil)"))
    let list = AppleAPI(modules: ["MPSGraph": [transpose]])
    #expect(list.newer(macOS: 12, iOS: 16) == [transpose])
    #expect(list.newer(macOS: 13, iOS: 15) == [transpose])
    #expect(list.newer(macOS: 13, iOS: 16) == [])
    let level = AppleAPI.Entry(symbol: "Descriptor.level", macOS: "12.3", iOS: "15.4")
    #expect(AppleAPI(modules: ["MPSGraph": [level]]).newer(macOS: 12, iOS: 15) == [level])
    #expect(level.isAskedFor(in: "if #available(macOS 12.3, iOS 15.4, *) {"))
    #expect(!level.isAskedFor(in: "if #available(macOS 12.2, iOS 15.4, *) {"))
    let made = AppleAPI.Entry(symbol: "Descriptor.init()", macOS: "12.0", iOS: "15.0")
    #expect(made.isUsed(in: "let descriptor = Descriptor()") && !made.isUsed(in: "super.init()"))
  }
}

/// `apple-api.json`: the declarations of Apple's SDK, with their availability.
private struct AppleAPI: Decodable {
  struct Entry: Decodable, Equatable {
    let symbol: String
    let macOS: String?
    let iOS: String?

    /// True if a text has an availability check for the entry.
    func isAskedFor(in text: String) -> Bool {
      text.contains("#available(macOS \(macOS ?? ""), iOS \(iOS ?? ""), *)")
    }

    /// True if a text contains the symbol's last name (for an initialiser, its type's) and all of its labels.
    func isUsed(in text: String) -> Bool {
      let name = symbol.split(separator: "(")[0].split(separator: ".").last { $0 != "init" } ?? ""
      let labels = symbol.split(separator: "(").dropFirst().first?.split(separator: ":") ?? []
      return text.ranges(of: name).contains { range in
        let (before, after) = (text[..<range.lowerBound].last, text[range.upperBound...].first)
        return before.map(isInName) != true && after.map(isInName) != true
      } && labels.filter { $0 != "_" && $0 != ")" }.allSatisfy { text.contains("\($0):") }
    }

    private func isInName(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_"
    }
  }

  let modules: [String: [Entry]]

  static func load() throws -> AppleAPI {
    let path = "\(Fixtures.repository)/Tests/StandIns/apple-api.json"
    return try JSONDecoder().decode(AppleAPI.self, from: Data(contentsOf: URL(filePath: path)))
  }

  /// Symbols that the files of a package use and that the oldest systems in its manifest lack.
  func tooNew(in files: [EmittedFile], for manifest: EmittedFile) throws -> [Entry] {
    let platforms = try #require(
      manifest.text.firstMatch(of: #/\.macOS\(\.v(\d+)\), \.iOS\(\.v(\d+)\)/#))
    return try newer(macOS: #require(Int(platforms.1)), iOS: #require(Int(platforms.2)))
      .filter { entry in
        files.contains { entry.isUsed(in: $0.text) && !entry.isAskedFor(in: $0.text) }
      }
  }

  /// Symbols that are newer than the first release of these systems.
  func newer(macOS: Int, iOS: Int) -> [Entry] {
    /// True if a version is newer than a system's first release.
    func isNewer(_ version: String?, _ first: Int) -> Bool {
      let numbers = (version ?? "0").split(separator: ".").map { Int($0) ?? 0 }
      return numbers[0] > first || numbers[0] == first && numbers.dropFirst().contains { $0 > 0 }
    }
    return modules.values.joined().filter { isNewer($0.macOS, macOS) || isNewer($0.iOS, iOS) }
  }
}
