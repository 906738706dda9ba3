import Foundation
import TestSupport
import Testing

/// A folder with an earlier output that a run replaces, and its contents before and after the run.
struct FaultStage {
  /// The outcome of a run in which a call may have failed.
  struct Outcome {
    let result: NetconvProcess.Result
    /// The call that failed; `nil` if the run made fewer, or was ended by it.
    let failed: String?
    /// The number of calls that could fail: for files and processes, and for memory.
    let calls: Int
    let allocations: Int
  }

  /// The outcome of a run, and its folder.
  typealias Run = (outcome: Outcome, folder: TemporaryFolder)

  private let replacement: Replacement
  private let folder: TemporaryFolder
  private let before: [String: [UInt8]]
  private let after: [String: [UInt8]]
  /// The run without a fault.
  let sound: Outcome

  /// The library that makes calls fail; it is stored beside the test bundle.
  private static let shim = URL(filePath: BuiltModules.products)
    .appending(path: "libFaultShim.so").path(percentEncoded: false)

  /// True if there is such a library: Package.swift builds it if this variable is set.
  static let hasShim: Bool = {
    #if os(Linux)
      ProcessInfo.processInfo.environment["NETCONV_WITHOUT_PLUGIN"] != nil
    #else
      false
    #endif
  }()

  /// An earlier output, and the run that replaces it.
  init(_ replacement: Replacement) throws {
    self.replacement = replacement
    folder = try TemporaryFolder()
    let line = try CommandLine()
    try TinyModel.write(to: line)
    for (name, value) in [("earlier", Float(1)), ("later", 2)] {
      try folder.copy(line.folder.file("blobs"), to: name)
      try line.flip("blobs/conv_W.bin", at: 2)
      let values = littleEndian([Float](repeating: value, count: 60))
      try folder.write(npy("<f4", "(1, 6, 5, 2)", values), to: name + ".npy")
    }
    for (fixture, name) in [
      ("keras/keras2-conv-strides.h5", "earlier.h5"), ("keras/keras2-zero-padding.h5", "later.h5"),
      ("audio/rtneural-plain.keras", "earlier.keras"),
      ("audio/rtneural-dense.keras", "later.keras"),
    ] {
      try folder.copy(Fixtures.path(fixture), to: name)
    }
    let first = try NetconvProcess.run(replacement.command(of: "earlier"), in: folder.path)
    try #require(first.status == 0)
    before = try Self.contents(of: folder)
    let run = try Self.run(replacement, in: folder, nil)
    try #require(run.outcome.result.status == 0)
    after = try Self.contents(of: run.folder)
    sound = run.outcome
    try #require(after != before)
  }

  /// Runs the command in a copy of the folder, while the call `fault` of the shim fails.
  func run(_ fault: String) throws -> Run { try Self.run(replacement, in: folder, fault) }

  private static func run(
    _ replacement: Replacement, in folder: TemporaryFolder, _ fault: String?
  ) throws -> Run {
    let copy = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try copy.copy(folder.file(name), to: name)
    }
    let others = try TemporaryFolder()
    var environment = [
      "SWIFT_BACKTRACE": "enable=no", "TMPDIR": others.path, "LD_PRELOAD": shim,
      "NETCONV_FAULT_LOG": others.file("log"),
    ]
    environment["NETCONV_FAULT"] = fault
    let result = try NetconvProcess.run(
      replacement.command(of: "later"), environment: environment, in: copy.path)
    let log = String(decoding: (try? others.bytes("log")) ?? [], as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).map(String.init)
    let left = try others.files().filter { $0 != "log" }
    #expect(left == [], "temporary files after the call \(fault ?? "") has failed")
    let outcome = Outcome(
      result: result, failed: log.last.flatMap { $0 == "-" ? nil : $0 },
      calls: log.first.flatMap { Int($0) } ?? 0,
      allocations: log.dropFirst().first.flatMap { Int($0) } ?? 0)
    return (outcome, copy)
  }

  /// Every file but the temporaries of a run that was cut short.
  private static func contents(of folder: TemporaryFolder) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for file in try folder.files() where !isTemporary(file) {
      contents[file] = try folder.bytes(file)
    }
    return contents
  }

  private static func isTemporary(_ file: String) -> Bool { file.contains(".netconv-staging-") }

  /// Expects the new output if the run succeeded, else the new or the old one.
  ///
  /// The next run has to succeed and to remove all remnants.
  func check(_ run: Run, _ place: String) throws {
    let found = try Self.contents(of: run.folder)
    let isNew = found == after
    // Several files and folders cannot appear in one step; each of them is the old or the new.
    let isMixed =
      replacement.isSeveral
      ? !found.allSatisfy { $1 == before[$0] || $1 == after[$0] } || found.count != after.count
      : found != before
    #expect(
      isNew || (run.outcome.result.status != 0 && !isMixed),
      "\(place): neither the old output nor the new")
    let second = try NetconvProcess.run(replacement.command(of: "later"), in: run.folder.path)
    #expect(second.status == 0, "\(place), then once more")
    #expect(try Self.contents(of: run.folder) == after, "\(place), then once more")
    #expect(
      try run.folder.files().filter(Self.isTemporary) == [], "\(place), then once more")
  }
}
