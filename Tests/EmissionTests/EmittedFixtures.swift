import Emission
import Foundation
import Readers
import TestSupport
import Testing
import Transforms

/// The fixtures that a language can write, as code.
struct EmittedFixture {
  /// From `Tests/Fixtures` on.
  let path: String
  /// The package.
  let files: [EmittedFile]
  /// What the code calls, with the labels of arguments, and the members that it names.
  let calls: Set<String>

  /// All that `language` can write, one of those that give the same code.
  static func all(in language: EmittedLanguage) throws -> [EmittedFixture] {
    let package = try #require(language.package)
    var codes: Set<[SwiftToken]> = []
    return try paths().compactMap { path in
      // What cannot be read or written has tests of its own.
      guard let files = try? files(of: Fixtures.path(path), in: package) else { return nil }
      let network = try #require(files.first { $0.path == "Sources/Zed/Zed.swift" })
      let tokens = try #require(SwiftToken.all(in: network.text))
      guard codes.insert(tokens).inserted else { return nil }
      return EmittedFixture(path: path, files: files, calls: Self.calls(in: tokens))
    }
  }

  /// So many of `fixtures` that each call of any is in one of them, the most varied first.
  static func enough(of fixtures: [EmittedFixture]) -> [EmittedFixture] {
    var missing = fixtures.reduce(into: Set<String>()) { $0.formUnion($1.calls) }
    var chosen: [EmittedFixture] = []
    while !missing.isEmpty {
      guard
        let next = fixtures.max(by: {
          $0.calls.intersection(missing).count < $1.calls.intersection(missing).count
        })
      else { break }
      chosen.append(next)
      missing.subtract(next.calls)
    }
    return chosen
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

  /// `convolution(layer:kernel:bias:)`, `.softPlus`.
  private static func calls(in tokens: [SwiftToken]) -> Set<String> {
    var calls: Set<String> = []
    var open: [String] = []
    for (index, token) in tokens.enumerated() {
      let next = index + 1 < tokens.count ? tokens[index + 1] : nil
      let last = index > 0 ? tokens[index - 1] : nil
      switch token {
      case .word(let word):
        if next == .sign(":"), !open.isEmpty {
          open[open.count - 1] += word + ":"
        } else if last == .sign("."), next != .sign("(") {
          calls.insert("." + word)
        }
      case .sign("("):
        if case .word(let word) = last { open.append(word + "(") } else { open.append("(") }
      case .sign(")"):
        if let call = open.popLast() { calls.insert(call + ")") }
      default: break
      }
    }
    return calls
  }
}

/// What fixtures become, compiled over the stand-ins and run.
@Suite(.enabled(if: StandIns.products != nil))
struct EmittedFixtureTests {
  /// Whether all are built; otherwise so many that no call of any is missing.
  private static let buildsAll =
    ProcessInfo.processInfo.environment["NETCONV_EMITTED"] == "all"

  @Test(arguments: EmittedLanguage.packages)
  func `the layers of every fixture are right`(_ language: EmittedLanguage) throws {
    let all = try EmittedFixture.all(in: language)
    // 163 and 256 when this was written.
    #expect(all.count > 150)
    let fixtures = Self.buildsAll ? all : EmittedFixture.enough(of: all)
    // One file of the compiler's for all of them would take memory.
    for first in stride(from: 0, to: fixtures.count, by: 60) {
      let folder = try TemporaryFolder()
      var collection = PackageCollection(folder.path)
      let part = fixtures[first..<min(first + 60, fixtures.count)]
      for (index, fixture) in part.enumerated() {
        try collection.add("Net\(index)", Fixtures.path(fixture.path), language: language)
      }
      try collection.build()
      for (index, fixture) in part.enumerated() {
        let result = try collection.selfTest("Net\(index)")
        #expect(result.status == 0, "\(fixture.path): \(result.output)")
      }
    }
  }
}
