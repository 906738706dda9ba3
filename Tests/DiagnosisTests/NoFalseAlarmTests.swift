import Foundation
import ModelIR
import NetconvKit
import TestSupport
import Testing

/// A correct conversion is never diagnosed as wrong, for any network and element type.
@Suite("No false alarms")
struct NoFalseAlarmTests {
  /// Every fixture that is a whole network.
  static let sources: [String] = {
    let folder = Fixtures.path("keras")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let stored = Set(names.filter { $0.hasSuffix(".npz") }.map { $0.dropLast(4) })
    return names.filter { $0.hasSuffix(".h5") && stored.contains($0.dropLast(3)) }.sorted()
      .map { "\(folder)/\($0)" } + [
        takesMNIST, Fixtures.sample("probe/probe.h5"),
      ]
  }()

  private static let takesMNIST = Fixtures.sample("lenet-blobs")

  /// `make proof` tests each fixture in each type, and with its normalisations folded; other runs test one combination each.
  @Test("every fixture, in every type", arguments: zip(types, types.indices))
  func conversions(type: ElementType, index: Int) throws {
    #expect(Self.sources.count > 100)
    for source in Sampling.part(of: Self.sources, every: Self.types.count + 1, from: index) {
      try check(source, type, folding: false)
    }
  }

  private static let types: [ElementType] = [.float32, .float16, .bfloat16, .int8]

  @Test("every fixture with its normalisations folded")
  func folded() throws {
    let count = Self.types.count
    for source in Sampling.part(of: Self.sources, every: count + 1, from: count) {
      try check(source, .float32, folding: true)
    }
  }

  @Test(
    "networks over sequences, with the gates in the order of a target",
    arguments: zip(["torch", "onnx", "coreml"], 0..<3))
  func gates(target: String, index: Int) throws {
    let names = [
      "recurrent", "bidirectional", "cells", "masks", "embedding", "conv1d", "open-length",
      "time-distributed",
    ]
    let sources = Self.sources.filter { source in names.contains { source.contains($0) } }
    #expect(sources.count >= 20)
    for source in Sampling.part(of: sources, every: 3, from: index) {
      try check(source, .float32, folding: false, target: target)
    }
  }

  private func check(
    _ source: String, _ type: ElementType, folding: Bool, target: String = "source"
  ) throws {
    let folder = try TemporaryFolder()
    var conversion = ConvertRequest(source: source, destination: folder.file("out"))
    conversion.target = target
    conversion.elementType = type
    conversion.formats = [.bin]
    conversion.foldsBatchNormalization = folding
    do throws(NetconvError) {
      _ = try Netconv.convert(conversion)
    } catch {
      // A kernel that has no output channels of its own is refused in int8.
      guard type == .int8, error.kind == .usage else { throw error }
      return
    }
    var request = VerifyRequest(path: folder.file("out"))
    request.reference = .model(source)
    // Only what takes MNIST has images to limit; the others are compared on random inputs.
    if source == Self.takesMNIST { request.limit = 64 }
    request.samples = 4
    let comparison = try #require(try Netconv.verify(request).comparison)
    let name = source.split(separator: "/").last ?? ""
    #expect(comparison.passed, "\(name) \(type): \(comparison.firstFailure ?? "")")
    #expect(comparison.unmatched.isEmpty, "\(name)")
    #expect(!comparison.layers.isEmpty, "\(name)")
  }
}
