import Foundation
import ModelIR
import TestSupport
import Testing

/// JSON reports of failed verdicts.
@Suite("failures in JSON")
struct ReportFailureTests {
  private func failures(_ result: NetconvProcess.Result, _ status: Int32) throws -> [String] {
    #expect(result.status == ExitCode(status), "\(result.errors)")
    let report = try jsonObject(result.output.utf8)
    #expect(report["passed"] as? Bool == (status == 0))
    return try #require(report["failures"] as? [String])
  }

  @Test("goldens name the first layer that is beyond, and nothing if none is")
  func goldens() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv("convert", Fixtures.sample("lenet-blobs"), "out", "--goldens", "1", "-q"))
    #expect(try failures(line.netconv("verify", "out", "--goldens", "--json"), 0) == [])
    // Of a layer without a finite value nobody can say that it is right.
    try line.folder.copy(Fixtures.sample("lenet-blobs"), to: "wrong")
    try line.change("wrong/fc1_b.bin") { $0 = $0.map { _ in .nan } }
    #expect(try line.netconv("convert", "wrong", "bad", "--goldens", "1", "-q").status == 0)
    let found = try failures(line.netconv("verify", "bad", "--goldens", "--json"), 1)
    #expect(found.count == 1 && found.first?.contains("'fc1'") == true, "\(found)")
  }

  @Test("a probe names each tensor that is wrong, and nothing if none is")
  func probe() throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("probe", "probe", "-q"))
    let document = try jsonObject(try line.folder.bytes("probe/probe.json"))
    let tensors = try #require(document["tensors"] as? [[String: Any]])
    var seen: [(name: String, array: NDArray<Float>)] = []
    for tensor in tensors {
      let name = try #require(tensor["name"] as? String)
      let file = try #require(tensor["file"] as? String)
      let bytes = try line.folder.bytes("probe/" + file)
      let values = bytes.withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map {
          Float(
            bitPattern: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self).littleEndian)
        }
      }
      seen.append((name, NDArray(shape: [values.count], values: values)))
    }
    try writeArchive(seen, to: line.folder.file("probe/seen.npz"))
    #expect(
      try failures(line.netconv("probe", "--check", "probe/seen.npz", "--json"), 0) == [])
    seen[0].array.values.reverse()
    try writeArchive(seen, to: line.folder.file("probe/seen.npz"))
    let found = try failures(line.netconv("probe", "--check", "probe/seen.npz", "--json"), 1)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("'\(seen[0].name)' is wrong: ") == true, "\(found)")
  }
}
