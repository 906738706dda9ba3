import Foundation
import TestSupport
import Testing

/// The command that lists system calls; `nil` where it is not there, or may not watch programs.
private let strace: [String]? = {
  let command = ["/usr/bin/strace", "-f", "-qq", "-e", "trace=process,network,file"]
  guard FileManager.default.isExecutableFile(atPath: command[0]) else { return nil }
  let trial = try? NetconvProcess.run(["--version"], wrapper: command + ["-o", "/dev/null"])
  return trial?.status == 0 ? command : nil
}()

/// The system calls of the program while it reads a malicious pickle.
@Suite(
  "System calls of hostile pickles", .enabled(if: strace != nil),
  .enabled(if: NetconvProcess.installed == nil, "what starts another system makes calls of its own")
)
struct SystemCallTests {
  /// The calls that start programs, reach for the network, or change files.
  static func suspicious(_ log: String) -> [Substring] {
    var starts = 0
    return log.split(separator: "\n").filter { line in
      // A number, spaces, and the call.
      let call = line.drop(while: \.isNumber).drop { $0 == " " }
      let name = call.prefix { $0 != "(" }
      switch name {
      case "execve":
        starts += 1
        return starts > 1
      case "open", "openat", "openat2", "creat":
        return name == "creat" || ["O_WRONLY", "O_RDWR", "O_CREAT"].contains { call.contains($0) }
      case "clone", "clone3", "fork", "vfork": return !call.contains("CLONE_THREAD")
      case "access", "faccessat", "faccessat2", "stat", "lstat", "fstat", "newfstatat", "statx",
        "statfs", "readlink", "readlinkat", "getcwd", "exit", "exit_group", "wait4", "waitid",
        "+++", "---", "<...":
        return false
      default: return true
      }
    }
  }

  private func watch(
    _ line: CommandLine, _ status: Int32, _ arguments: String...
  ) throws -> [Substring] {
    let log = line.folder.file("calls")
    let result = try line.netconv(arguments, wrapper: try #require(strace) + ["-o", log])
    #expect(result.status == ExitCode(status), "\(result.errors)")
    return Self.suspicious(try String(contentsOfFile: log, encoding: .utf8))
  }

  @Test(
    "no program is started, no file written and no network used",
    arguments: PyTorchCommandTests.attacks)
  func attack(name: String, text: String, outside: String) throws {
    let line = try CommandLine()
    var bytes = text.unicodeScalars.map { UInt8($0.value) }
    if bytes.first != 0x80 { bytes = [0x80, 2] + bytes }
    try line.folder.write(bytes, to: "evil.pt")
    #expect(try watch(line, 0, "inspect", "evil.pt", "--pickle-calls") == [])
    #expect(try watch(line, 65, "convert", "evil.pt", "out", "--weights-only") == [])
    #expect(try line.names() == ["calls", "evil.pt"])
  }

  @Test("the check can fail")
  func control() throws {
    let line = try CommandLine()
    let log = line.folder.file("calls")
    // A shell that does what the pickle would.
    _ = try line.netconv(
      ["--version"],
      wrapper: try #require(strace) + ["-o", log, "/bin/sh", "-c", "touch ran; \"$@\"", "sh"])
    let found = Self.suspicious(try String(contentsOfFile: log, encoding: .utf8))
    #expect(found.contains { $0.contains("/touch\"") })
    #expect(found.contains { $0.contains("\"ran\"") && $0.contains("O_CREAT") })
  }
}
