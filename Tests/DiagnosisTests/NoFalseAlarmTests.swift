import Foundation
import ModelIR
import NetconvKit
import TestSupport
import Testing

/// A correct conversion is never said to be wrong, whatever the network and the type.
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

  @Test("every fixture, in every type", arguments: ["float32", "float16", "bfloat16", "int8"])
  func conversions(type: String) throws {
    #expect(Self.sources.count > 100)
    let type = try #require(ElementType(rawValue: type))
    for source in Self.sources {
      try check(source, type, folding: false)
    }
  }

  @Test("every fixture with its normalisations folded")
  func folded() throws {
    for source in Self.sources { try check(source, .float32, folding: true) }
  }

  @Test(
    "networks over sequences, with the gates in the order of a target",
    arguments: ["torch", "onnx", "coreml"])
  func gates(target: String) throws {
    let names = [
      "recurrent", "bidirectional", "cells", "masks", "embedding", "conv1d", "open-length",
      "time-distributed",
    ]
    let sources = Self.sources.filter { source in names.contains { source.contains($0) } }
    #expect(sources.count >= 20)
    for source in sources { try check(source, .float32, folding: false, target: target) }
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
