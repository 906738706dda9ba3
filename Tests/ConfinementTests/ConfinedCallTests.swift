import Foundation
import TestSupport
import Testing

#if os(Linux)
  /// System calls that a confined process may make, and those that terminate it.
  @Suite("Confinement")
  struct ConfinedCallTests {
    @Test(
      "system calls that reading does not need end it",
      arguments: [
        "open", "stat", "read", "write", "pwrite", "sendmsg", "truncate", "unlink", "socket",
        "fork", "thread",
        "execute", "kill", "signal to another", "trace", "code in memory", "memory becomes code",
        "map a file",
        "limits of another", "other limits", "another filter", "clock",
      ])
    func forbidden(call: String) throws {
      let result = try Self.confined("pread", call)
      // 159: by SIGSYS.
      #expect(result.status == 159)
    }

    @Test("what reading needs is allowed, and limits hold")
    func allowed() throws {
      #expect(try Self.confined("pread", "memory", "pread").status == 0)
      #expect(try Self.confined("too much memory").status == 0)
      #expect(try Self.confined("abort").status == 134)
      #expect(try Self.confined("crash").status == 139)
      #expect(try Self.confined("time").status == 152)
    }

    /// Runs the probe; on a system without seccomp filters, which the probe reports, there is nothing to test.
    private static func confined(_ calls: String...) throws -> ProgramResult {
      let probe = URL(filePath: BuiltModules.products)
        .appending(path: "ConfinementProbe").path(percentEncoded: false)
      return try RunningProgram.run([probe] + calls)
    }
  }
#endif
