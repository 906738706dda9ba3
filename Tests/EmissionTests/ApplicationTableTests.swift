import Emission
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing
import Transforms
import Zlib

/// Some rows of Docs/applications.md; `make applications` writes and checks all of them.
@Suite struct ApplicationTableTests {
  @Test(arguments: ["ConvNeXtTiny", "MobileNetV3Small", "NASNetMobile"])
  func `a row says what is written of an architecture`(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try Self.checkpoint(name, in: folder)
    let model = try ReaderRegistry.read(path).model.foldingBatchNormalization().model
    let cells = try PackageLanguage.all.map { language in
      let error = thrown {
        try EmittedPackage(
          model, in: language, from: "\(name).h5", name: name, storesHalves: true)
      }
      return try error.map(Self.reasons) ?? "yes"
    }
    let page = try String(
      contentsOfFile: "\(Fixtures.repository)/Docs/applications.md", encoding: .utf8)
    let row = "| \(name) | \(cells.joined(separator: " | ")) |"
    #expect(page.split(separator: "\n").contains { $0 == row }, "\(row)")
  }

  /// An architecture as a file whose weights are zeros.
  static func checkpoint(_ name: String, in folder: TemporaryFolder) throws -> String {
    let compressed = try Data(
      contentsOf: URL(filePath: Fixtures.path("applications/\(name).h5.gz")))
    return try folder.write(
      inflated(Array(compressed), .gzip, limit: 1 << 22), to: "\(name).h5")
  }

  /// The reasons why a network is not written, one for each class of layers, in the words of Tools/applications/emission.py.
  private static func reasons(_ error: NetconvError) throws -> String {
    var found: [(text: String, count: Int)] = []
    for detail in error.details {
      let match = try #require(
        "\(detail)".firstMatch(of: #/layer .* \(\d+ of \d+, (\w+)\): (.*)/#))
      let text = "\(match.1): \(match.2)"
      if let index = found.firstIndex(where: { $0.text == text }) {
        found[index].count += 1
      } else {
        found.append((text, 1))
      }
    }
    return found.map { $0.text + ($0.count > 1 ? " (\($0.count) layers)" : "") }
      .joined(separator: "; ")
  }
}
