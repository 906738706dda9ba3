import Foundation
import TestSupport
import Testing

extension Repository {
  /// A row of Docs/claims.md: the words of a page, and their proof.
  struct Claim {
    /// The words of the page, verbatim.
    let words: String
    /// The files that the proof refers to, each with words in it: the name of a test, of a benchmark row, of a check.
    let proofs: [(path: String, words: String)]
  }

  /// The rows of Docs/claims.md.
  func claims() throws -> [Claim] {
    try text("Docs/claims.md").split(separator: "\n")
      .filter { $0.hasPrefix("| ") && $0.contains("](") }
      .map { row in
        let cells = row.dropFirst(2).split(separator: " | ", maxSplits: 1)
        let proofs = cells[1].matches(of: #/\[[^\]]+\]\(\.\./([^)]+)\): ``?([^`]+)`/#).map {
          (path: String($0.output.1), words: String($0.output.2))
        }
        return Claim(words: String(cells[0]), proofs: proofs)
      }
  }

  /// Problems of the claims: those that no page makes, that have no proof, or whose proof is missing.
  func unprovenClaims() throws -> [String] {
    let pages = try ["README.md", "Docs/README.md", "Docs/checks.md"].map { try words(text($0)) }
      .joined(separator: "\n")
    return try claims().flatMap { claim -> [String] in
      var problems: [String] = []
      if !pages.contains(words(claim.words)) { problems.append("no page says: \(claim.words)") }
      if claim.proofs.isEmpty { problems.append("nothing makes sure of: \(claim.words)") }
      return problems
        + (try claim.proofs.filter { proof in
          guard FileManager.default.fileExists(atPath: "\(root)/\(proof.path)") else { return true }
          return try !text(proof.path).contains(proof.words)
        }.map { "\($0.path) has no \($0.words)" })
    }
  }

  /// A text with single blanks between its words, and without the marks of Markdown.
  private func words(_ text: String) -> String {
    text.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { String($0.output.1) }
      .filter { $0 != "`" && $0 != "*" }.split(whereSeparator: \.isWhitespace).joined(
        separator: " ")
  }
}

@Suite struct ClaimTests {
  @Test func `each public claim stands on a page, and has a test or a row of the bench`() throws {
    #expect(try Repository.here.unprovenClaims() == [])
    #expect(try Repository.here.claims().count >= 20)
  }

  @Test func `a claim whose test is gone, that nobody makes, or that has no test, is found`() throws
  {
    let copy = try Copy()
    try copy.folder.write("It **works**, as `make` shows.\n", to: "README.md")
    for page in ["README.md", "checks.md"] { try copy.folder.write("", to: "Docs/\(page)") }
    try copy.folder.write("@Test func `it works`() {}\n", to: "Tests/ATests.swift")
    try copy.folder.write(
      """
      | claim | test |
      |---|---|
      | It works, as make shows. | [ATests](../Tests/ATests.swift): `it works` |
      | It works | [ATests](../Tests/ATests.swift): `it flies`, [B](../Tests/B.swift): `b` |
      | It flies | [ATests](../Tests/ATests.swift) |

      """, to: "Docs/claims.md")
    #expect(
      try copy.repository.unprovenClaims() == [
        "Tests/ATests.swift has no it flies", "Tests/B.swift has no b", "no page says: It flies",
        "nothing makes sure of: It flies",
      ])
  }
}
