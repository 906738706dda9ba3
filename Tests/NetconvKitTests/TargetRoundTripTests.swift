import Documents
import Foundation
import ModelIR
import NetconvKit
import Readers
import TestSupport
import Testing

/// A conversion for one target, converted for another, and back.
@Suite("From one target to another and back, every byte is the same")
struct TargetRoundTripTests {
  /// A checkpoint with every kind of parameter there is; the pairs below run over all of them.
  private static let sources: [String] =
    ConversionEqualityTests.checkpoints.map { Fixtures.path("keras/\($0)") }
    + [Fixtures.sample("lenet-blobs")]

  private static let names = Netconv.targets.map(\.name)

  /// Converts, in every format that has files of its own; `false` if the target has an unconfirmed layout.
  private func convert(_ source: String, to destination: String, for target: String) throws -> Bool {
    var request = ConvertRequest(source: source, destination: destination)
    request.target = target
    request.formats = [.bin, .safetensors, .npz]
    do {
      _ = try Netconv.convert(request)
      return true
    } catch let error as NetconvError where error.description.contains("nobody has confirmed") {
      return false
    }
  }

  private func tensors(_ path: String) throws -> [TensorRecord] {
    try #require(try ReaderRegistry.read(path).converted).manifest.tensors
  }

  @Test("all ordered pairs", arguments: sources)
  func pairs(source: String) throws {
    let folder = try TemporaryFolder()
    var there: [String] = []
    for name in Self.names
    where try convert(source, to: folder.file(name), for: name) { there.append(name) }
    #expect(there.count >= Self.names.count - 2)
    for first in there {
      for second in there where second != first {
        let over = folder.file("over"), back = folder.file("back")
        #expect(try convert(folder.file(first), to: over, for: second))
        #expect(try convert(over, to: back, for: first))
        try expectSame(folder, first, second)
        try FileManager.default.removeItem(atPath: over)
        try FileManager.default.removeItem(atPath: back)
      }
    }
  }

  /// Compares what both targets have layouts for; if that is all, whole files.
  private func expectSame(
    _ folder: TemporaryFolder, _ first: String, _ second: String
  ) throws {
    let names = Self.supported(try tensors(folder.file(first)))
      .intersection(Self.supported(try tensors(folder.file("over"))))
    let before = try tensors(folder.file(first)), after = try tensors(folder.file("back"))
    #expect(before.map(\.name) == after.map(\.name))
    for (old, new) in zip(before, after) where names.contains(old.layer + " " + old.role) {
      #expect(old.sha256 == new.sha256, "\(first), \(second): \(old.name)")
      #expect(old.layout == new.layout && old.shape == new.shape, "\(first), \(second): \(old.name)")
    }
    guard names.count == before.count else { return }
    let isSame = try ["model.safetensors", "model.npz"].allSatisfy {
      try folder.bytes("\(first)/\($0)") == folder.bytes("back/\($0)")
    }
    #expect(isSame, "\(first), \(second)")
  }

  private static func supported(_ tensors: [TensorRecord]) -> Set<String> {
    Set(tensors.filter(\.supported).map { $0.layer + " " + $0.role })
  }
}
