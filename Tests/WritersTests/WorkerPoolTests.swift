import ModelIR
import Synchronization
import TestSupport
import Testing
import Writers

@Suite struct WorkerPoolTests {
  /// The completed work, in order.
  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])

    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  private func job(
    _ name: String, parts: Int = 1, urgency: WorkerPool.Job.Urgency = .low, _ log: Log,
    failing: Set<Int> = [], next: @escaping @Sendable () -> [WorkerPool.Job] = { [] }
  ) -> WorkerPool.Job {
    WorkerPool.Job(parts: parts, urgency: urgency) { _, part throws(NetconvError) in
      log.add("\(name)\(part)")
      if failing.contains(part) { throw NetconvError(.internal, "\(name)\(part)") }
    } next: {
      next()
    }
  }

  @Test func `one thread does what is urgent first, the rest in order, and then what is upcoming`()
    throws
  {
    let log = Log()
    let upcoming = Mutex(0..<2)
    let pool = WorkerPool(count: 1) { () throws(NetconvError) in
      upcoming.withLock { $0.popFirst() }.map { job("u\($0)-", log) }
    }
    try pool.perform([
      job("a", parts: 2, log) { [job("b", urgency: .high, log), job("c", log)] },
      job("d", log), job("e", urgency: .high, log),
    ])
    #expect(log.all == ["e0", "a0", "a1", "b0", "d0", "c0", "u0-0", "u1-0"])
  }

  @Test(arguments: 1...5)
  func `every part is done once, and what follows comes after all of them`(count: Int) throws {
    for _ in 0..<20 {
      let log = Log()
      let upcoming = Mutex(0..<10)
      let pool = WorkerPool(count: count) { () throws(NetconvError) in
        guard let number = upcoming.withLock({ $0.popFirst() }) else { return nil }
        return job("\(number)a", parts: number, log) { [job("\(number)b", parts: 3, log)] }
      }
      try pool.perform([])
      let done = log.all
      #expect(Set(done).count == done.count && done.count == 45 + 30)
      for number in 0..<10 {
        let last = done.lastIndex { $0.hasPrefix("\(number)a") } ?? -1
        #expect(done.firstIndex { $0.hasPrefix("\(number)b") }.map { $0 > last } == true)
      }
    }
  }

  @Test func `workers have numbers below the size of the pool`() throws {
    let numbers = Mutex(Set<Int>())
    try WorkerPool(count: 3).perform([
      WorkerPool.Job(parts: 100) { worker, _ in
        numbers.withLock { $0.formUnion([worker]) }
      }
    ])
    #expect(numbers.withLock { $0 }.isSubset(of: [0, 1, 2]))
  }

  @Test(arguments: 1...4)
  func `nothing is begun after a failure, and the first part's error is told`(count: Int) throws {
    for _ in 0..<20 {
      let log = Log()
      let error = thrown {
        try WorkerPool(count: count).perform([
          job("a", parts: 10, log, failing: Set(3..<10)) { [job("b", log)] }, job("c", log),
        ])
      }
      #expect(error?.message == "a3")
      #expect(log.all.count < 4 + count && !log.all.contains("b0"))
    }
  }

  @Test func `jobs that cannot be had are a failure`() throws {
    let log = Log()
    let pool = WorkerPool(count: 2) { () throws(NetconvError) in
      throw NetconvError(.cannotCreate, "no more")
    }
    #expect(thrown { try pool.perform([job("a", log)]) }?.message == "no more")
  }
}
