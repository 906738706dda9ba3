import Emission
import Foundation
import Readers
import TestSupport
import Testing
import Transforms

/// Fixtures that a language can write, and that become the same code.
struct EmittedFixture {
  /// From `Tests/Fixtures` on; those behind the first differ in their weights.
  private(set) var paths: [String]
  /// The package of the first.
  let files: [EmittedFile]

  /// All that `language` can write.
  static func all(in language: EmittedLanguage) throws -> [EmittedFixture] {
    let package = try #require(language.package)
    var places: [[SwiftToken]: Int] = [:]
    var all: [EmittedFixture] = []
    for path in try paths() {
      // What cannot be read or written has tests of its own.
      guard let files = try? files(of: Fixtures.path(path), in: package) else { continue }
      let network = try #require(files.first { $0.path == "Sources/Zed/Zed.swift" })
      let tokens = try #require(SwiftToken.all(in: network.text))
      if let place = places[tokens] {
        all[place].paths.append(path)
      } else {
        places[tokens] = all.count
        all.append(EmittedFixture(paths: [path], files: files))
      }
    }
    return all
  }

  /// Files and folders that may be models.
  private static func paths() throws -> [String] {
    let root = Fixtures.path("")
    let all = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    let marks = ["saved_model.pb", "model.json", "manifest.json"]
    let folders = all.filter { path in
      marks.contains { FileManager.default.fileExists(atPath: root + path + "/" + $0) }
    }
    let files = all.filter { path in
      [".h5", ".keras", ".pb", ".netpack", ".json"].contains(where: path.hasSuffix)
        && !folders.contains { path.hasPrefix($0 + "/") }
    }
    // The kernels have values that half precision, as packages have it, cannot hold.
    return (folders + files).filter { !$0.hasPrefix("bombs/") && $0 != "precision/kernels" }
  }

  private static func files(
    of path: String, in language: PackageLanguage
  ) throws -> [EmittedFile] {
    let folding = try ReaderRegistry.read(path).model.foldingBatchNormalization()
    return try EmittedPackage(
      folding.model, in: language, from: "fixture", name: "Zed", storesHalves: true,
      folded: folding.folded.map(\.layer)
    ).files
  }
}

/// What fixtures become, compiled over the stand-ins and run.
@Suite(.enabled(if: StandIns.products != nil))
struct EmittedFixtureTests {
  @Test(arguments: EmittedLanguage.packages)
  func `the layers of every fixture are right`(_ language: EmittedLanguage) throws {
    let fixtures = try EmittedFixture.all(in: language)
    // 163 and 256 when this was written.
    #expect(fixtures.count > 150)
    // One file of the compiler's for all of them would take memory.
    for first in stride(from: 0, to: fixtures.count, by: 60) {
      let folder = try TemporaryFolder()
      var collection = PackageCollection(folder.path)
      let part = fixtures[first..<min(first + 60, fixtures.count)]
      for (index, fixture) in part.enumerated() {
        try collection.add("Net\(index)", Fixtures.path(fixture.paths[0]), language: language)
      }
      try collection.build()
      for (index, fixture) in part.enumerated() {
        let result = try collection.selfTest("Net\(index)")
        #expect(result.status == 0, "\(fixture.paths[0]): \(result.output)")
        for other in fixture.paths.dropFirst() {
          let result = try collection.selfTest(
            "Net\(index)", ofWeightsIn: Fixtures.path(other), language: language)
          #expect(result.status == 0, "\(other): \(result.output)")
        }
      }
    }
  }
}
