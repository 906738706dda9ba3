import Dispatch

/// The threads that may share one piece of work.
struct Team: Sendable {
  /// At least 1.
  let threads: Int

  /// Nobody but the caller.
  static let alone = Team(threads: 1)

  /// Runs `work` for each of 0..<`parts`, in any order, and waits for all.
  func perform(_ parts: Int, _ work: @Sendable (Int) -> Void) {
    if threads == 1 || parts == 1 {
      for part in 0..<parts { work(part) }
    } else {
      DispatchQueue.concurrentPerform(iterations: parts, execute: work)
    }
  }

  /// Splits `count` things into a range for each thread, in whole multiples of `unit`.
  func split(_ count: Int, unit: Int) -> [Range<Int>] {
    let units = (count + unit - 1) / unit
    let parts = max(1, min(threads, units))
    return (0..<parts).map { part in
      let bounds = [part, part + 1].map { min(count, units * $0 / parts * unit) }
      return bounds[0]..<bounds[1]
    }
  }
}
