import Foundation
import Operators
import TestSupport
import Testing

@Suite("Models that say they are huge are refused, or used in little memory")
struct OversizedModelTests {
  private static let timeLimit = 600.0

  /// Addresses for 3 GB: enough for the program, its threads and every ordinary model.
  private static let limited = ["/bin/sh", "-c", "ulimit -v 3000000; exec \"$@\"", "sh"]

  /// Every verb that accepts a model.
  private static let verbs = [
    ["inspect", "m"], ["inspect", "m", "--stats"], ["convert", "m", "out", "--dry-run"],
    ["convert", "m", "out"], ["convert", "m", "out", "--goldens", "2"],
    ["convert", "m", "out", "--target", "source", "--dtype", "int8"], ["verify", "m"],
    ["verify", "m", "--against", "m"], ["verify", "m", "--against", "m", "--engine", "reference"],
    ["run", "m", "--input", "x.npy"], ["run", "m", "--input", "x.npy", "--engine", "reference"],
    ["diff", "m", "m"], ["emit", "m", "--language", "dsl"],
    ["emit", "m", "--language", "mpscnn", "--output", "package"],
    ["emit", "m", "--language", "mpsgraph", "--output", "package"],
  ]

  @Test("every operator is tried")
  func operators() {
    #expect(
      OversizedModels.layers.keys.sorted() == OperatorRegistry.all.map { $0.name }.sorted())
  }

  @Test("of every operator", arguments: OperatorRegistry.all.map { $0.name })
  func operatorModels(name: String) throws {
    let cases = try OversizedModels.cases(of: name, large: Sampling.isProof)
    #expect(cases.count >= 7)
    try expectNoCrash(cases)
  }

  @Test("of several layers")
  func chains() throws {
    try expectNoCrash(OversizedModels.chains)
  }

  /// The step between the tested combinations of verbs and models, if not all are tested.
  private static let step = Sampling.current < .slow ? 64 : 16

  /// `make proof` tests every verb on every model, and models that are just small enough to run; other runs a subset.
  private func expectNoCrash(_ cases: [OversizedModels.Case]) throws {
    for (index, model) in cases.enumerated() {
      let line = try CommandLine()
      try line.folder.write(model.document, to: "m/model.json")
      for (file, size) in model.files { try line.writeZeros(size, to: "m/" + file) }
      try line.folder.write(
        npy("<f4", "(1, 6, 5, 4)", Array(repeating: 0, count: 480)), to: "x.npy")
      for (number, verb) in Self.verbs.enumerated()
      where Sampling.isProof || (index + number) % Self.step == 0 {
        let result = try run(verb, in: line)
        _ = try line.shell("rm -rf out package")
        let comment = Comment(rawValue: "\(model.name): \(verb.joined(separator: " "))")
        guard let result else {
          Issue.record("still running after \(Self.timeLimit) s: \(comment)")
          continue
        }
        #expect(
          [0, 1, 64, 65, 66, 74].contains(result.status), "\(comment)\n\(result.errors.suffix(400))"
        )
        #expect(result.status == 0 || result.errors.hasPrefix("netconv: "), comment)
      }
    }
  }

  /// Runs the program with little memory; `nil` if it does not end.
  private func run(_ arguments: [String], in line: CommandLine) throws -> NetconvProcess.Result? {
    let running = try NetconvProcess.start(
      arguments, environment: ["SWIFT_BACKTRACE": "enable=no"], in: line.folder.path,
      wrapper: Self.limited)
    let deadline = Date(timeIntervalSinceNow: Self.timeLimit)
    while running.isRunning, Date() < deadline { usleep(500) }
    guard running.isRunning else { return try running.wait() }
    running.signal(SIGKILL)
    _ = try running.wait()
    return nil
  }
}
