import Foundation
import TestSupport
import Testing

#if os(Linux)
  /// A process that decodes pictures and fails with one.
  @Suite("pictures that libraries do not stand")
  struct PictureProcessTests {
    /// A picture of 100 million pixels in 13 kB, with 16 MB of padding so that the limit on claims does not apply.
    private static func slow() throws -> String {
      let picture = try Data(contentsOf: URL(filePath: Fixtures.path("pictures/slow.png")))
      return try TemporaryFolder().write(picture + Data(count: 16 << 20), to: "slow.png")
    }

    /// A run of netconv that has `slow` decoded, and the process that does it, once it has for a tenth of a second.
    private static func decoding(
      _ slow: String
    ) throws -> (run: NetconvProcess.Running, helper: pid_t) {
      let run = try NetconvProcess.start(["run", Fixtures.sample("deep-mnist/deep-mnist.h5"), slow])
      return (run, try run.child(calledWith: "decode-pictures", afterSeconds: 0.1))
    }

    @Test("a signal that ends it is exit code 65, with the file and the library")
    func killed() throws {
      let slow = try Self.slow()
      let (run, helper) = try Self.decoding(slow)
      kill(helper, SIGSEGV)
      let result = try run.wait()
      #expect(result.status == 65)
      #expect(
        result.errors
          == "netconv: error: \(slow): damaged: libpng crashed with it (signal 11)\n")
    }

    @Test("SIGINT ends netconv while it hangs")
    func interrupted() throws {
      let (run, helper) = try Self.decoding(Self.slow())
      kill(helper, SIGSTOP)
      usleep(100_000)
      run.signal(SIGINT)
      let result = try run.wait()
      #expect(result.status == 130)
    }
  }
#endif
