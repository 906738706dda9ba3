import Foundation
import TestSupport
import Testing

/// SplitMix64: the same numbers everywhere for a seed.
private struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}

@Suite("A checkpoint with flipped bits is converted or refused")
struct BitFlipTests {
  /// Seeds whose file makes libhdf5 1.10.8 crash or loop.
  ///
  /// It follows the lengths of the global heap, where strings of variable length are, without
  /// checking them: each backtrace ends in H5Aread, H5T__conv_vlen, H5HG_read, and h5dump falls into
  /// the same hole. Other versions of the library may survive some of these. 1035 has a damaged object header, which
  /// H5O__msg_iterate_real reads beyond its end when attributes are listed: what lies there on the heap differs from
  /// build to build, and decides whether that is noticed.
  private static let fatalToHDF5: Set<UInt64> = [1010, 1035, 1078, 1083, 1093]

  private static let timeLimit = 30.0

  /// Runs `netconv convert`; `nil` if it was ended by a signal or did not end.
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
      var generator = SplitMix64(state: seed)
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
    let fatal = try fatalSeeds(0..<250, flipping: 1)
    #expect(fatal.isSubset(of: Self.fatalToHDF5), "\(fatal.sorted())")
  }

  @Test("eight bits")
  func eightBits() throws {
    let fatal = try fatalSeeds(1000..<1100, flipping: 8)
    #expect(fatal.isSubset(of: Self.fatalToHDF5), "\(fatal.sorted())")
  }
}
