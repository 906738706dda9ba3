import Foundation
import ModelIR
import TestSupport
import Testing

/// Messages about tables do not use the words for pictures.
@Suite("rows of a table are no images")
struct SampleWordsTests {
  /// Expects a run without the words image and pixel, on either stream.
  private func expectNoImages(
    _ result: NetconvProcess.Result, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = (result.output + result.errors).lowercased()
    #expect(
      !text.contains("image") && !text.contains("pixel"), "\(text)", sourceLocation: sourceLocation)
  }

  private static let model = Fixtures.path("metrics/logits.h5")
  private static let data = Fixtures.path("metrics/logits.npz")

  @Test("verify calls them samples, and what they hold values")
  func verify() throws {
    for options in [[], ["--against", Self.model], ["--confusion"]] {
      let result = try NetconvProcess.run(
        ["verify", Self.model, "--images", Self.data, "--threshold", "0"] + options)
      #expect(result.status == 0)
      expectNoImages(result)
      #expect(result.output.contains("data       logits.npz, 41 samples"))
      #expect(result.output.contains("\nvalues     as they are"))
    }
  }

  @Test("errors and warnings call them so too")
  func errors() throws {
    let line = try CommandLine()
    try line.folder.write(npy("|u1", "(2,)", [0, 1]), to: "y.npy")
    for (shape, values, status) in [
      ("(2, 5)", [Float](repeating: 0.5, count: 10), ExitCode(64)),
      ("(2, 6)", [Float](repeating: .nan, count: 12), ExitCode(65)),
      ("(3, 6)", [Float](repeating: 0.5, count: 18), ExitCode(65)),
    ] {
      try line.folder.write(npy("<f4", shape, littleEndian(values)), to: "x.npy")
      let result = try line.netconv(
        "verify", Self.model, "--images", "x.npy", "--labels", "y.npy", "--threshold", "0")
      #expect(result.status == status, "\(result.errors)")
      #expect(
        !result.errors.replacing("--images", with: "").contains(#/image|pixel/#),
        "\(result.errors)")
    }
    // Features of 0 and 1, as they are.
    try line.folder.write(npy("|u1", "(2, 6)", [0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1]), to: "x.npy")
    expectNoImages(
      try line.netconv(
        "verify", Self.model, "--images", "x.npy", "--labels", "y.npy", "--scale", "1"))
    let run = try line.netconv("run", Self.model, "--input", "x.npy", "--scale", "1")
    expectSuccess(run)
    expectNoImages(run)
    #expect(run.output.contains("values     "))
  }

  @Test("a page of verify calls them so")
  func page() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv("verify", Self.model, "--images", Self.data, "--html", "p.html", "-q"))
    let page = String(decoding: try line.folder.bytes("p.html"), as: UTF8.self)
    #expect(page.contains(#""noun":"samples""#))
    expectSuccess(
      try line.netconv(
        "verify", Fixtures.sample("lenet-blobs"), "--limit", "9", "--html", "q.html", "-q"))
    #expect(
      String(decoding: try line.folder.bytes("q.html"), as: UTF8.self).contains(
        #""noun":"images""#))
  }
}
