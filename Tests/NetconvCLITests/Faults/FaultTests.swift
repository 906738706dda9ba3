import Foundation
import TestSupport
import Testing

/// A library that is preloaded counts the calls of a run, then makes one of them fail.
///
/// Some calls are drawn at random (`NETCONV_SEED` repeats them); with `NETCONV_PROOF`, each one fails in turn.
@Suite(
  "After a call that fails there is the old output or the new one, and nothing else",
  .enabled(if: FaultStage.hasShim, "only make test builds the library, and only Linux loads it"),
  .enabled(if: NetconvProcess.installed == nil, "another system does not load it"))
struct FaultTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seed: UInt64 =
    environment["NETCONV_SEED"].flatMap { UInt64($0) } ?? .random(in: .min ... .max)
  /// Suffixes of the system's error messages.
  private static let reasons = [
    "Input/output error", "No space left on device", "Too many open files",
    "Cannot allocate memory",
    "Resource temporarily unavailable",
    // Of the arguments, which Swift's runtime reads without saying why it could not.
    "cannot be read, so the arguments are unknown",
  ]

  /// The valid exit codes of a run in which a call fails once.
  ///
  /// 73 if an output cannot be created or renamed, 74 if reading or writing fails, 66 if an input cannot be opened. 0 if
  /// the call was not essential.
  private static func statuses(_ call: String) -> Set<Int32> {
    switch call {
    case "create", "mkdir", "flock", "rename", "renameat2", "link": [73]
    case "write", "pwrite", "pwrite64", "fwrite", "fflush": [74]
    // A part of an earlier output that is only looked at may not matter.
    case "pread", "pread64": [0, 74]
    // A folder that is locked is opened as well; its call fails as one that creates.
    case "open", "open64", "openat", "openat64": [0, 66, 73]
    case "opendir", "readdir", "lstat": [0, 66]
    // Also whether a file is what it was, and whether there is a folder for the output.
    case "stat", "fstat": [0, 66, 73, 74]
    // The arguments, where Swift's runtime is part of the program, and what the system says of itself.
    case "fopen": [0, 66]
    // What the system says of itself, permissions, room, and what is removed at the end.
    case "read", "fread", "chmod", "unlink", "rmdir", "statvfs", "fstatvfs", "ftruncate",
      "ftruncate64", "fallocate", "fallocate64":
      [0]
    // A process for HDF5: it cannot be had, or cannot be talked to.
    case "posix_spawn", "socketpair", "memfd_create", "mmap", "fcntl": [0, 66]
    case "sendmsg", "recvmsg": [0, 74]
    // A thread less.
    case "pthread_create": [0]
    default: []
    }
  }

  /// Numbers up to `count`: all of them, or some.
  private func numbers(_ count: Int, drawing drawn: Int) -> [Int] {
    guard !Sampling.isProof else { return Array(1...count) }
    var random = SplitMix64(seed: Self.seed)
    return (0..<drawn).map { _ in Int.random(in: 1...count, using: &random) }
  }

  @Test(
    "a call that reads, writes, opens, lists, renames, links or starts", arguments: Replacement.all)
  func calls(replacement: Replacement) throws {
    let stage = try FaultStage(replacement)
    #expect(stage.sound.calls > 40)
    for number in numbers(stage.sound.calls, drawing: 6) {
      let run = try stage.run("\(number)")
      // Threads do not always make as many calls.
      guard let failed = run.outcome.failed else { continue }
      let place =
        "\(replacement.testDescription), call \(number) (\(failed)), NETCONV_SEED=\(Self.seed)"
      let result = run.outcome.result
      #expect(
        Self.statuses(failed).contains(result.status.code),
        "\(place): \(result.status) \(result.errors)")
      if result.status == 0 {
        #expect(result.output == stage.sound.result.output, "\(place)")
      } else {
        #expect(result.errors.hasPrefix("netconv: error: "), "\(place)")
        // A path about which the system says nothing counts as no folder; the next call finds that wrong.
        #expect(
          failed == "stat" || Self.reasons.contains(where: result.errors.contains),
          "\(place): \(result.errors)")
      }
      try stage.check(run, place)
    }
  }

  // Swift ends a program that gets no memory; what lies in files is another matter.
  @Test("a call that takes memory", arguments: Replacement.all)
  func allocations(replacement: Replacement) throws {
    let stage = try FaultStage(replacement)
    #expect(stage.sound.allocations > 1000)
    let step = Sampling.isProof ? max(1, stage.sound.allocations / 300) : 0
    let numbers =
      Sampling.isProof
      ? Array(stride(from: 1, through: stage.sound.allocations, by: step))
      : numbers(stage.sound.allocations, drawing: 2)
    for number in numbers {
      let run = try stage.run("m\(number)")
      let place = "\(replacement.testDescription), allocation \(number), NETCONV_SEED=\(Self.seed)"
      let code = run.outcome.result.status.code
      #expect(
        [0, 66, 73, 74].contains(code) || code > 128, "\(place): \(run.outcome.result.errors)")
      try stage.check(run, place)
    }
  }
}
