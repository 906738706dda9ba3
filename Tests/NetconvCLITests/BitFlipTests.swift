import Foundation
import TestSupport
import Testing

@Suite("A checkpoint with flipped bits is converted or refused")
struct BitFlipTests {
  private static let timeLimit = 30.0

  /// Every `step`-th seed is tested.
  private static let step: UInt64 = Sampling.current < .slow ? 4 : 1

  /// Runs `netconv convert`; returns `nil` if it was terminated by a signal or by a timeout.
  ///
  /// libhdf5 1.10.8 crashes or loops with some of these files, without affecting other processes.
  private func convert(_ line: CommandLine) throws -> NetconvProcess.Result? {
    let running = try NetconvProcess.start(
      ["convert", "m.h5", "out", "--quiet", "--force"],
      environment: ["SWIFT_BACKTRACE": "enable=no"], in: line.folder.path)
    let deadline = Date(timeIntervalSinceNow: Self.timeLimit)
    while running.isRunning, Date() < deadline { usleep(500) }
    if running.isRunning { running.signal(SIGKILL) }
    let result = try running.wait()
    return result.status > 128 && result.status != 130 ? nil : result
  }

  /// Flips `count` bits for each seed, and returns the seeds that ended the process.
  private func fatalSeeds(_ seeds: Range<UInt64>, flipping count: Int) throws -> Set<UInt64> {
    let line = try CommandLine()
    let original = try Data(
      contentsOf: URL(filePath: Fixtures.path("keras/keras2-reshape-dense.h5")))
    var fatal: Set<UInt64> = []
    var outcomes: [Int32: Int] = [:]
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      var bytes = original
      for _ in 0..<count {
        let bit = Int(generator.next() % UInt64(8 * bytes.count))
        bytes[bit / 8] ^= 1 << (bit % 8)
      }
      try line.folder.write(bytes, to: "m.h5")
      guard let result = try convert(line) else {
        fatal.insert(seed)
        continue
      }
      outcomes[result.status.code, default: 0] += 1
      #expect([0, 65, 66].contains(result.status.code), "seed \(seed): \(result.errors)")
      #expect(
        result.status == 0 || result.errors.hasPrefix("netconv: error: m.h5: "), "seed \(seed)")
      let left = try line.names().filter { $0.hasPrefix(".netconv-staging-") }
      #expect(left.isEmpty, "seed \(seed)")
    }
    #expect(outcomes.keys.count > 1, "all \(seeds) came to the same end")
    return fatal
  }

  @Test("one bit")
  func oneBit() throws {
    #expect(try fatalSeeds(0..<250 / Self.step, flipping: 1) == [])
  }

  @Test("eight bits")
  func eightBits() throws {
    #expect(try fatalSeeds(1000..<1000 + 100 / Self.step, flipping: 8) == [])
  }
}
