import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The seeds of the fuzz targets, including inputs that `make fuzz` found.
@Suite struct SeedTests {
  struct Seed: Sendable, CustomTestStringConvertible {
    let target: any FuzzTarget.Type
    let name: String

    var path: String { "\(folder)/\(target.name)/\(name)" }
    var testDescription: String { "\(target.name)/\(name)" }
  }

  private static let folder = Fixtures.repository + "/Fuzzing/Seeds"

  static let seeds = FuzzTargets.all.flatMap { target in
    names(in: target.name).map { Seed(target: target, name: $0) }
  }

  private static func names(in target: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(target)")) ?? []).sorted()
  }

  private static func outcome(_ seed: Seed) throws -> FuzzOutcome {
    seed.target.outcome(Array(try Data(contentsOf: URL(filePath: seed.path))))
  }

  @Test(arguments: seeds)
  func `no seed breaks a rule`(seed: Seed) throws {
    if case .broken(let rule) = try Self.outcome(seed) {
      Issue.record("\(seed.testDescription): \(rule)")
    }
  }

  @Test func `each target has a folder of seeds, and each folder a target`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
      .filter { !$0.hasSuffix(".py") && !$0.hasPrefix("__") }.sorted()
    #expect(folders == FuzzTargets.all.map { $0.name }.sorted())
  }

  @Test(arguments: FuzzTargets.all.map { $0.name })
  func `each target takes a seed: what it checks of it is checked`(name: String) throws {
    let taken = try Self.seeds.filter { $0.target.name == name }.filter { seed in
      if case .taken = try Self.outcome(seed) { true } else { false }
    }
    #expect(!taken.isEmpty)
  }

  @Test func `each target has one file and one line of the list`() throws {
    let files = try FileManager.default
      .contentsOfDirectory(atPath: Fixtures.repository + "/Fuzzing/Targets")
      .filter { $0.hasSuffix("Target.swift") && $0 != "FuzzTarget.swift" }.sorted()
    #expect(files == FuzzTargets.all.map { "\($0).swift" }.sorted())
  }

  @Test func `a broken rule is found`() {
    guard case .broken(let rule) = BrokenTarget.outcome([]) else {
      Issue.record("an internal error counts as a refusal")
      return
    }
    #expect(rule == "an internal error: netconv is wrong")
  }
}
