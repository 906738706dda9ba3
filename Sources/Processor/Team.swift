import Dispatch

/// What several threads use at the same time, each in places of its own.
package struct Shared<Value>: @unchecked Sendable {
  /// What is used.
  package let value: Value

  /// Shares `value`.
  package init(_ value: Value) { self.value = value }
}

/// The threads that may share one piece of work.
package struct Team: Sendable {
  /// At least 1.
  package let threads: Int
  private let crew: Crew?

  /// Nobody but the caller.
  package static let alone = Team(threads: 1, crew: nil)

  /// Runs `lead` with a team of `threads` threads that stand by until it returns.
  package static func gather(_ threads: Int, _ lead: @Sendable (Team) -> Void) {
    guard threads > 1 else { return lead(.alone) }
    let crew = Crew()
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      crew.join { lead(Team(threads: threads, crew: crew)) }
    }
  }

  /// Runs `work` for each of 0..<`parts`, in any order, and waits for all.
  ///
  /// - Parameter work: gets the part, and the number of the thread that does it, less than ``threads``; no two
  ///   parts are done with the same number at the same time.
  package func perform(
    _ parts: Int, _ work: @escaping @Sendable (_ part: Int, _ thread: Int) -> Void
  ) {
    if let crew, parts > 1 {
      crew.perform(parts, work)
    } else {
      for part in 0..<parts { work(part, 0) }
    }
  }

  /// At most `parts` parts, and if there are more than threads, as many for each thread.
  private func evenly(_ parts: Int) -> Int {
    threads == 1 ? 1 : parts <= threads ? max(1, parts) : parts / threads * threads
  }

  /// Splits `count` things into shares, runs `work` for each, and waits for all.
  ///
  /// There are more shares than threads, so that a thread that the system holds up is not waited for long.
  /// - Parameters:
  ///   - count: how many things there are.
  ///   - unit: shares start at whole multiples of this.
  ///   - smallest: fewer things than this are sooner done than shared.
  ///   - work: gets a share and the number of the thread.
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
