import Emission
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing
import Transforms

/// Fixtures that a language can write, and that become the same code.
struct EmittedFixture {
  /// Paths within `Tests/Fixtures`; all but the first differ only in their weights.
  private(set) var paths: [String]
  /// The package of the first path.
  let files: [EmittedFile]

  /// All that `language` can write.
  static func all(in language: EmittedLanguage) throws -> [EmittedFixture] {
    try #require(collected[language.name]).get()
  }

  /// The fixtures of each language, by its name; several tests iterate over them.
  private static let collected = Dictionary(
    uniqueKeysWithValues: EmittedLanguage.packages.map { language in
      (language.name, Result { try collect(in: language) })
    })

  /// Fixtures that can be read.
  static let models: [(path: String, model: Model)] = ((try? paths()) ?? []).compactMap { path in
    // What cannot be read has tests of its own.
    (try? ReaderRegistry.read(Fixtures.path(path)).model).map { (path, $0) }
  }

  /// These fixtures without normalisations that can be folded.
  private static let foldings = Result {
    models.compactMap { path, model in
      (try? model.foldingBatchNormalization()).map { (path, $0) }
    }
  }

  private static func collect(in language: EmittedLanguage) throws -> [EmittedFixture] {
    let package = try #require(language.package)
    var places: [[SwiftToken]: Int] = [:]
    var all: [EmittedFixture] = []
    for (path, folding) in foldings.get() {
      // What cannot be written has tests of its own.
      guard let files = try? files(of: folding, in: package) else { continue }
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
    of folding: Folding, in language: PackageLanguage
  ) throws -> [EmittedFile] {
    try EmittedPackage(
      folding.model, in: language, from: "fixture", name: "Zed", storesHalves: true,
      folded: folding.folded.map(\.layer)
    ).files
  }
}

extension EmittedFixture {
  /// The features of a language that the network uses: the files of the package, and the calls, each with its labels and
  /// the cases that it passes, and with numbers classified as 0, 1 or other.
  ///
  /// - Parameters:
  ///   - vocabulary: the words that code of netconv can contain; others are names of a network.
  ///   - wholly: true if labels, cases and numbers count too.
  fileprivate func uses(_ vocabulary: Set<String>, wholly: Bool) throws -> Set<String> {
    let network = try #require(files.first { $0.path == "Sources/Zed/Zed.swift" })
    var uses = Set(files.map(\.path))
    func use(_ setting: String) { if wholly { uses.insert(setting) } }
    var (calls, label): ([String], String) = ([], "")
    var last: SwiftToken?
    for token in try #require(SwiftToken.all(in: network.text)) {
      switch (last, token) {
      case (.word(let name), .sign("(")):
        calls.append(vocabulary.contains(name) ? name : "")
        uses.insert("\(calls[calls.count - 1])()")
      case (_, .sign("(")): calls.append("")
      case (_, .sign(")")): _ = calls.popLast()
      case (.word(let name), .sign(":")) where vocabulary.contains(name):
        label = "\(calls.last ?? "").\(name)"
        use(label)
      case (.sign("."), .word(let name)) where vocabulary.contains(name):
        use("\(label) .\(name)")
      case (.sign(":"), .word(let number)) where number.first?.isNumber == true:
        use("\(label) \(["0", "1"].contains(number) ? number : "n")")
      default: break
      }
      last = token
    }
    return uses
  }

  /// A small subset of `fixtures` with all of their features, by a greedy choice.
  ///
  /// - Parameter wholly: true if the labels of calls, their cases and numbers count, too.
  static func cover(of fixtures: [EmittedFixture], wholly: Bool) throws -> [EmittedFixture] {
    let vocabulary = try vocabulary()
    let uses = try fixtures.map { try $0.uses(vocabulary, wholly: wholly) }
    var missing = uses.reduce(into: Set<String>()) { $0.formUnion($1) }
    var chosen: [Int] = []
    while !missing.isEmpty {
      let gains = uses.map { missing.intersection($0).count }
      let best = try #require(gains.indices.max { (gains[$0], $1) < (gains[$1], $0) })
      chosen.append(best)
      missing.subtract(uses[best])
    }
    return chosen.sorted().map { fixtures[$0] }
  }

  /// Words of the sources that write packages, of runtime code, and of Apple's frameworks.
  private static func vocabulary() throws -> Set<String> {
    var words: Set<String> = []
    for folder in ["Sources/Emission", "Emitted", "Tests/StandIns/apple-api.json"] {
      let root = "\(Fixtures.repository)/\(folder)"
      let paths = FileManager.default.subpaths(atPath: root) ?? []
      for path in paths.isEmpty ? [root] : paths.map({ "\(root)/\($0)" })
      where [".swift", ".json"].contains(where: path.hasSuffix) {
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
          words.insert(String(word))
        }
      }
    }
    return words
  }
}

/// The packages of fixtures, compiled against the stand-ins and run.
@Suite(.enabled(if: StandIns.products != nil))
struct EmittedFixtureTests {
  /// Compiles every fixture in `make proof`, and runs it with the weights of all fixtures that have the same code.
  ///
  /// Other runs test a subset with all features of the language; in `make test`, with all files and calls.
  @Test(arguments: EmittedLanguage.packages)
  func `the layers of fixtures are right`(_ language: EmittedLanguage) throws {
    let all = try EmittedFixture.all(in: language)
    // 163 and 256 when this was written.
    #expect(all.count > 150)
    let fixtures =
      Sampling.isProof
      ? all : try EmittedFixture.cover(of: all, wholly: Sampling.current == .slow)
    print("\(language): \(fixtures.count) of \(all.count) fixtures")
    #expect(fixtures.count > 5)
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
        for other in fixture.paths.dropFirst() where Sampling.isProof {
          let result = try collection.selfTest(
            "Net\(index)", ofWeightsIn: Fixtures.path(other), language: language)
          #expect(result.status == 0, "\(other): \(result.output)")
        }
      }
    }
  }
}
