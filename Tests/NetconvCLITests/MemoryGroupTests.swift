import TestSupport
import Testing

/// The memory limit of a container applies; the system would kill a process that exceeds it.
@Suite(
  "Memory of a container",
  .enabled(if: MemoryGroup.isAllowed, "control groups take rights that the tests do not have"),
  .enabled(if: NetconvProcess.installed == nil, "another system does not see the groups"))
struct MemoryGroupTests {
  private let model = Fixtures.sample("deep-mnist/deep-mnist.h5")

  @Test("a network that is too large for it is a message, with the limit", arguments: [30, 50])
  func refused(mebibytes: Int) throws {
    let group = try MemoryGroup(bytes: mebibytes << 20)
    let result = try CommandLine().shell(group.line, "verify", model, "--limit", "10")
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(
      result.errors.hasPrefix(
        "netconv: error: \(model): loading the parameters needs 37 MiB of memory, and there are "))
    #expect(
      result.errors.hasSuffix(
        " of the \(mebibytes) MiB that the container may use; run the model on a machine with more\n"
      ))
  }

  @Test("what fits runs, and conversions stream", arguments: [96, 256])
  func taken(mebibytes: Int) throws {
    let group = try MemoryGroup(bytes: mebibytes << 20)
    let line = try CommandLine()
    let verdict = try line.shell(group.line, "verify", model, "--limit", "10", "--quiet")
    #expect(verdict.status == 0 && verdict.errors == "")
    let conversion = try line.shell(group.line, "convert", model, "out", "--quiet")
    #expect(conversion.status == 0 && conversion.errors == "")
  }
}
