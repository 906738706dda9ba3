import TestSupport
import Testing

@Suite("--verbose")
struct VerboseTests {
  private static let lenet = Fixtures.sample("lenet-blobs")

  @Test(
    "says what the engine has no kernel for, on stderr",
    arguments: [
      ("fast", "the fast engine has a kernel for every layer"),
      ("reference", "the reference engine runs every layer as it is defined"),
    ])
  func verbose(engine: String, message: String) throws {
    let line = try CommandLine()
    let options = ["--verbose", "--engine", engine]
    let verified = try NetconvProcess.run(
      ["verify", Self.lenet, "--limit", "1", "--json"] + options, in: line.folder.path)
    #expect(verified.errors == "netconv: " + message + "\n")
    #expect(verified.status == 0)
    #expect(try jsonObject(verified.output.utf8)["engine"] as? String == engine)

    try line.folder.write(
      npy("|u1", "(1, 28, 28, 1)", [UInt8](repeating: 0, count: 784)), to: "x.npy")
    let ran = try NetconvProcess.run(
      ["run", Self.lenet, "--input", "x.npy"] + options, in: line.folder.path)
    #expect(ran.errors == "netconv: " + message + "\n")
    #expect(ran.status == 0)
  }

  @Test("without it nothing is said")
  func silent() throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("verify", Self.lenet, "--limit", "1"))
  }
}
