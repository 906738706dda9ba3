import Foundation
import TestSupport
import Testing

extension Repository {
  /// The edit that an addition of `Tools/additions` makes in a file.
  private struct Edit: Decodable {
    let file: String
    let behind: String
  }

  /// The number of edited files that CONTRIBUTING states for each kind of addition.
  func statedCosts() throws -> [String: Int] {
    var costs: [String: Int] = [:]
    for match in try text("CONTRIBUTING.md").matches(
      of: #/(?m)^\| (?:an? )?([^|]+) \|.*\| (\d+) \|$/#)
    {
      costs[String(match.output.1)] = Int(match.output.2)
    }
    return costs
  }

  /// Additions that edit more files than CONTRIBUTING states, or that no longer apply.
  func wrongAdditions() throws -> [String] {
    let costs = try statedCosts()
    return try folders(in: "Tools/additions").flatMap { addition in
      let edits = try JSONDecoder().decode(
        [Edit].self, from: Data(text("Tools/additions/\(addition)/edits.json").utf8))
      let cost = Set(edits.map(\.file)).count
      let lost = try edits.filter { try text($0.file).ranges(of: $0.behind).count != 1 }.map {
        "\(addition): \($0.file) has not one place for it"
      }
      return
        (costs[addition] == cost
        ? [] : ["\(addition) edits \(cost) files; CONTRIBUTING says \(costs[addition] ?? 0)"])
        + lost
    }
  }
}

@Suite struct AdditionTests {
  @Test func `an addition edits as many files as CONTRIBUTING says`() throws {
    #expect(try Repository.here.wrongAdditions() == [])
    #expect(try Repository.here.folders(in: "Tools/additions").count >= 3)
  }

  @Test func `adding things costs no more than it may`() throws {
    let costs = try Repository.here.statedCosts()
    let most = [
      "operator": 3, "operator to an emitted language": 1, "activation": 2, "container": 1,
      "reader": 1, "target": 1, "verb": 2,
    ]
    for (name, most) in most { #expect(try #require(costs[name]) <= most, "\(name)") }
  }

  @Test func `a file too many is found, and a place that is gone`() throws {
    let copy = try Copy()
    try copy.folder.copy(Repository.here.root + "/Tools/additions", to: "Tools/additions")
    try copy.folder.write(
      #"[{"file": "Package.swift", "behind": "no such text"}, {"file": "CONTRIBUTING.md", "behind": "\n# "}]"#,
      to: "Tools/additions/container/edits.json")
    #expect(
      try copy.repository.wrongAdditions() == [
        "container edits 2 files; CONTRIBUTING says 1",
        "container: Package.swift has not one place for it",
        "container: CONTRIBUTING.md has not one place for it",
      ])
  }
}
