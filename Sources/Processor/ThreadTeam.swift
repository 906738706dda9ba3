import Dispatch

/// A value shared by several threads that access different parts of it.
package struct Shared<Value>: @unchecked Sendable {
  /// The value.
  package let value: Value

  /// Shares `value`.
  package init(_ value: Value) { self.value = value }
}

/// The threads that share a job.
package struct ThreadTeam: Sendable {
  /// The number of threads, at least 1.
  package let threads: Int
  private let crew: ThreadPool?

  /// A team of the calling thread alone.
  package static let alone = ThreadTeam(threads: 1, crew: nil)

  /// Runs `lead` with a team of `threads` threads, which are available until it returns.
  package static func gather(_ threads: Int, _ lead: @Sendable (ThreadTeam) -> Void) {
    guard threads > 1 else { return lead(.alone) }
    let crew = ThreadPool()
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      crew.join { lead(ThreadTeam(threads: threads, crew: crew)) }
    }
  }

  /// Runs `work` for each of 0..<`parts` in any order, and waits for all.
  ///
  /// - Parameter work: Receives the part and the index of the thread, which is less than
  ///   ``threads``. No two parts run with the same index at the same time.
  package func perform(
    _ parts: Int, _ work: @escaping @Sendable (_ part: Int, _ thread: Int) -> Void
  ) {
    if let crew, parts > 1 {
      crew.perform(parts, work)
    } else {
      for part in 0..<parts { work(part, 0) }
    }
  }

  /// At most `parts` parts; if there are more than threads, the same number for each thread.
  private func evenly(_ parts: Int) -> Int {
    threads == 1 ? 1 : parts <= threads ? max(1, parts) : parts / threads * threads
  }

  /// Splits `count` items into ranges, runs `work` for each, and waits for all.
  ///
  /// There are more ranges than threads, so that a delayed thread does not hold up the others for
  /// long.
  /// - Parameters:
  ///   - count: The number of items.
  ///   - unit: The alignment of the ranges.
  ///   - smallest: The number of items below which a range is not split.
  ///   - work: Receives a range and the index of the thread.
  package func share(
    _ count: Int, unit: Int = 1, smallest: Int = 1,
    _ work: @escaping @Sendable (_ share: Range<Int>, _ thread: Int) -> Void
  ) {
    let units = (count + unit - 1) / unit
    let parts = evenly(min(4 * threads, units, count / max(1, smallest)))
    perform(parts) { part, thread in
      let first = units * part / parts * unit
      let end = min(count, units * (part + 1) / parts * unit)
      work(first..<end, thread)
    }
  }
}
