#if os(Linux)
  import Foundation

  extension RunningProgram {
    /// Waits for a child process with `argument` that has used this much CPU time.
    ///
    /// - Throws: ``NoChild`` after a minute.
    public func child(calledWith argument: String, afterSeconds seconds: Double) throws -> pid_t {
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end {
        if let child = Self.children(of: identifier).first(where: { child in
          Self.text("/proc/\(child)/cmdline").contains(argument)
            && Self.secondsComputed(by: child) >= seconds
        }) {
          return child
        }
        usleep(1000)
      }
      throw NoChild()
    }

    /// The error if the program has started no such process.
    public struct NoChild: Error {}

    private static func text(_ path: String) -> String {
      (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    private static func children(of parent: pid_t) -> [pid_t] {
      text("/proc/\(parent)/task/\(parent)/children").split(separator: " ").compactMap {
        pid_t($0)
      }
    }

    private static func secondsComputed(by process: pid_t) -> Double {
      let facts = text("/proc/\(process)/stat").split(separator: " ")
      let ticks = facts.dropFirst(13).first.flatMap { Double($0) } ?? 0
      return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
  }
#endif
