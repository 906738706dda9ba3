import Foundation
import ModelIR
import TestSupport
import Testing
import Transforms

/// The pages of targets agree with the code.
@Suite struct TargetDocumentTests {
  private func text(_ name: String) throws -> String {
    try String(
      contentsOfFile: "\(Fixtures.repository)/Docs/targets/\(name).md", encoding: .utf8)
  }

  /// The cells of every row of the page's tables whose first cell names `target`.
  private func rows(of target: String) throws -> [[String]] {
    try text("README").split(separator: "\n").filter {
      $0.hasPrefix("| [`\(target)`]") || $0.hasPrefix("| `\(target)` ")
    }.map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private func cell(
    _ target: Target, _ kind: ParameterKind, _ layout: String, cell: RecurrentCellKind? = nil
  ) throws -> String {
    guard target.name != "source" else { return "the source's" }
    let spec = ParameterSpec(.kernel, kind, try #require(Layout(layout)), [:], cell: cell)
    guard let written = target.layout(for: spec) else { return "–" }
    return "`\(written)`" + (target.reversedAxes(of: spec).isEmpty ? "" : " ↻")
  }

  @Test func `the tables have every target's layouts, containers and types`() throws {
    for target in Target.all {
      let rows = try rows(of: target.name)
      try #require(rows.count == 3, "\(target.name)")
      #expect(
        try Array(rows[0].dropFirst()) == [
          cell(target, .convolution, "HWIO"), cell(target, .depthwise, "HWIM"),
          cell(target, .transposedConvolution, "HWOI"), cell(target, .fullyConnected, "IO"),
          cell(target, .fullyConnected, "(HWI)O"),
        ])
      #expect(
        try Array(rows[1].dropFirst()) == [
          cell(target, .convolution, "WIO"), cell(target, .depthwise, "WIM"),
          cell(target, .transposedConvolution, "WOI"),
          cell(target, .recurrent, "I(GN)", cell: .lstm),
          cell(target, .recurrent, "I(GN)", cell: .gru),
          cell(target, .recurrent, "I(GN)", cell: .gruWithResetBefore),
          cell(target, .recurrent, "IN", cell: .simple),
          cell(target, .embedding, "IO"),
        ], "\(target.name)")
      #expect(rows[2][2] == target.formats.map(\.rawValue).joined(separator: ", "))
      #expect(rows[2][3] == target.elementTypes.map(\.rawValue).joined(separator: ", "))
    }
  }

  @Test func `every target has a page that names its option and its sources`() throws {
    for target in Target.all {
      let page = try text(target.name)
      let option = target.name == "mps" ? "$ netconv convert" : "--target \(target.name)\n"
      #expect(page.contains(option), "\(target.name)")
      #expect(page.contains("\nSource"), "\(target.name)")
    }
  }
}
