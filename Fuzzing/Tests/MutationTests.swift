import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Seeds with a few bytes changed, removed, repeated or swapped: 1,000 mutations for netconv's own binary parsers and 200
/// for the others, or `NETCONV_MUTATIONS` for each.
@Suite struct MutationTests {
  private static let folder = Fixtures.repository + "/Fuzzing/Seeds"
  private static let count =
    ProcessInfo.processInfo.environment["NETCONV_MUTATIONS"].flatMap { Int($0) }

  /// All targets, or only `NETCONV_TARGET`.
  private static let targets =
    ProcessInfo.processInfo.environment["NETCONV_TARGET"].map { [$0] }
    ?? FuzzTargets.all.map { $0.name }

  private static let binary: Set = [
    "table", "checkpoint", "gguf", "graph", "onnx", "saved-model", "meta-graph", "picture",
    "pickle", "torch", "tflite", "coreml",
    "heap", "answer", "picture-answer",
  ]

  /// A linear congruential generator with a fixed sequence.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  private static func mutated(_ bytes: [UInt8], _ numbers: inout Numbers) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &numbers) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &numbers)
      let end = min(bytes.count, place + Int.random(in: 1...16, using: &numbers))
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
      case 1: bytes[place] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &numbers) ?? 0
      case 2: bytes[place] &+= 1
      case 3: bytes[place] &-= 1
      case 4: bytes.removeSubrange(place..<end)
      case 5: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 6: bytes.replaceSubrange(place..<end, with: repeatElement(0xff, count: end - place))
      default:
        if Int.random(in: 0..<8, using: &numbers) == 0 { bytes.removeSubrange(place...) }
      }
    }
    return bytes
  }

  @Test(arguments: targets)
  func `no mutation of a seed breaks a rule, or takes half a minute`(name: String) throws {
    let target = try #require(FuzzTargets.all.first { $0.name == name })
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(Self.folder)/\(name)")
      .sorted()
    var numbers = Numbers(state: 20_261_122)
    var taken = 0
    for index in 0..<(Self.count ?? (Self.binary.contains(name) ? 1000 : 200)) {
      let seed = names[index % names.count]
      let bytes = Self.mutated(
        Array(try Data(contentsOf: URL(filePath: "\(Self.folder)/\(name)/\(seed)"))), &numbers)
      let start = ContinuousClock.now
      switch target.outcome(bytes) {
      case .taken: taken += 1
      case .refused: break
      case .broken(let rule):
        try Data(bytes).write(to: URL(filePath: "/tmp/netconv-mutation-\(name)-\(index)"))
        Issue.record("mutation \(index) of \(seed): \(rule)")
      }
      #expect(ContinuousClock.now - start < .seconds(30), "mutation \(index) of \(seed)")
    }
    // At least one mutation must be accepted; otherwise only rejections are tested.
    #expect(taken > 0)
  }
}
