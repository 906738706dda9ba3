import Documents
import Foundation
import ModelIR
import NetconvKit
import Readers
import TestSupport
import Testing

/// Conversions for one target, then for another, and back.
@Suite("From one target to another and back, every byte is the same")
struct TargetRoundTripTests {
  /// The fixtures with a kind of parameter in a layout that none before them has.
  private static let sources: [String] = {
    var sources: [String] = []
    var known: Set<String> = []
    for name in ["lenet-blobs"] + ConversionEqualityTests.checkpoints {
      let isSample = name == "lenet-blobs"
      let path = isSample ? Fixtures.sample(name) : Fixtures.path("keras/" + name)
      guard let tensors = try? ReaderRegistry.read(path).network.tensors else { continue }
      var kinds: Set<String> = []
      for tensor in tensors {
        kinds.insert("\(tensor.spec.role) \(tensor.spec.kind) \(tensor.storedLayout)")
      }
      if !kinds.isSubset(of: known) { sources.append(path) }
      known.formUnion(kinds)
    }
    return sources
  }()

  private static let names = Netconv.targets.map(\.name)

  /// Converts, in the formats whose files hold all tensors.
  private func convert(_ source: String, to destination: String, for target: String) throws {
    var request = ConvertRequest(source: source, destination: destination)
    request.target = target
    request.formats = [.safetensors, .npz]
    _ = try Netconv.convert(request)
  }

  private func tensors(_ path: String) throws -> [TensorRecord] {
    try #require(try ReaderRegistry.read(path).converted).manifest.tensors
  }

  /// Every ordered pair of targets in `make proof`.
  ///
  /// Other runs choose one target of each group with equal layouts for a source. They pair it with every target outside of
  /// the group, and the rest of the group with it. They test a third of these pairs, a different third for each source.
  @Test("ordered pairs", arguments: sources)
  func pairs(source: String) throws {
    let folder = try TemporaryFolder()
    var alike: [[String]: String] = [:]
    var first: [String: String] = [:]
    for name in Self.names {
      try convert(source, to: folder.file(name), for: name)
      let written = try tensors(folder.file(name)).map { "\($0.layout) \($0.supported)" }
      // What "source" writes is as what it was given.
      if name != "source" { first[name] = alike[written] ?? name }
      alike[written] = alike[written] ?? name
    }
    var pairs: [(String, String)] = []
    for (name, likeness) in first.sorted(by: { $0.key < $1.key }) {
      for second in Self.names where second != name {
        let isNeeded =
          likeness == name ? first[second] ?? second == second : second == likeness
        if isNeeded || Sampling.isProof { pairs.append((name, second)) }
      }
    }
    let place = Self.sources.firstIndex(of: source) ?? 0
    for (name, second) in Sampling.part(of: pairs, every: 8, from: place) {
      try check(folder, name, second)
    }
  }

  /// Converts an output for one target to another target, and back.
  private func check(_ folder: TemporaryFolder, _ first: String, _ second: String) throws {
    let over = folder.file("over")
    let back = folder.file("back")
    try convert(folder.file(first), to: over, for: second)
    try convert(over, to: back, for: first)
    try expectSame(folder, first, second)
    try FileManager.default.removeItem(atPath: over)
    try FileManager.default.removeItem(atPath: back)
  }

  /// Compares the parameters for which both targets have layouts; if these are all, compares whole files.
  private func expectSame(
    _ folder: TemporaryFolder, _ first: String, _ second: String
  ) throws {
    let before: [TensorRecord] = try tensors(folder.file(first))
    let after: [TensorRecord] = try tensors(folder.file("back"))
    let names = Self.supported(before)
      .intersection(Self.supported(try tensors(folder.file("over"))))
    #expect(before.map(\.name) == after.map(\.name))
    for (old, new) in zip(before, after) where names.contains(Self.key(old)) {
      let place = "\(first), \(second): \(old.name)"
      #expect(old.sha256 == new.sha256, "\(place)")
      #expect(old.layout == new.layout, "\(place)")
      #expect(old.shape == new.shape, "\(place)")
    }
    guard names.count == before.count else { return }
    for file in ["model.safetensors", "model.npz"] {
      let isSame = try folder.bytes(first + "/" + file) == folder.bytes("back/" + file)
      #expect(isSame, "\(first), \(second): \(file)")
    }
  }

  private static func supported(_ tensors: [TensorRecord]) -> Set<String> {
    var keys: Set<String> = []
    for tensor in tensors where tensor.supported { keys.insert(key(tensor)) }
    return keys
  }

  private static func key(_ tensor: TensorRecord) -> String { tensor.layer + " " + tensor.role }
}
