import Foundation
import TestSupport
import Testing

#if os(Linux)
  /// A process that decodes pictures, and is in trouble with one.
  @Suite("pictures that libraries do not stand")
  struct PictureProcessTests {
    /// 100 million pixels in 13 kB, and 16 MB behind them, so that nobody minds how much is made of so little.
    private static func slow() throws -> String {
      let picture = try Data(contentsOf: URL(filePath: Fixtures.path("pictures/slow.png")))
      return try TemporaryFolder().write(picture + Data(count: 16 << 20), to: "slow.png")
    }

    /// A run of netconv that has `slow` decoded, and the process that does it, once it has for a tenth of a second.
    private static func decoding(
      _ slow: String
    ) throws -> (run: NetconvProcess.Running, helper: pid_t) {
      let run = try NetconvProcess.start(["run", Fixtures.sample("deep-mnist/deep-mnist.h5"), slow])
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end {
        if let helper = helper(of: run.identifier) { return (run, helper) }
        usleep(1000)
      }
      throw NoHelper()
    }

    private struct NoHelper: Error {}

    private static func helper(of parent: pid_t) -> pid_t? {
      let path = "/proc/\(parent)/task/\(parent)/children"
      let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return children.split(separator: " ").compactMap { pid_t($0) }.first { child in
        guard let command = try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8),
          command.contains("decode-pictures"),
          let facts = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8),
          let ticks = facts.split(separator: " ").dropFirst(13).first.flatMap({ Int($0) })
        else { return false }
        return ticks >= sysconf(Int32(_SC_CLK_TCK)) / 10
      }
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
