import Dispatch
import ModelIR
import Synchronization

/// Threads that share jobs, the most urgent first, so that no thread is idle while there is work.
package final class WorkerPool: Sendable {
  /// A job whose parts can run on several threads at once.
  package struct Job: Sendable {
    /// The urgency of a job: the critical path goes first.
    package enum Urgency: Int, Sendable {
      /// The job can run at any time.
      case low
      /// Other jobs wait for this one.
      case high
    }

    /// Runs a part; the arguments are the worker's index, below the size of the pool, and the part's index from 0.
    package typealias Work =
      @Sendable (_ worker: Int, _ part: Int) throws(NetconvError) -> Void

    let parts: Int
    let urgency: Urgency
    let work: Work
    let next: @Sendable () -> [Job]

    /// Creates a job.
    ///
    /// - Parameter next: returns the jobs that can start once all parts are done; called while holding a lock.
    package init(
      parts: Int = 1, urgency: Urgency = .low,
      work: @escaping Work,
      next: @escaping @Sendable () -> [Job] = { [] }
    ) {
      self.parts = parts
      self.urgency = urgency
      self.work = work
      self.next = next
    }
  }

  private let count: Int
  private let upcoming: @Sendable () throws(NetconvError) -> Job?
  private let state = Mutex(WorkerPoolState())
  private let wakeUp = DispatchSemaphore(value: 0)

  /// Creates a pool of `count` threads.
  ///
  /// - Parameter upcoming: returns another job when the queue is empty, `nil` when there are no more; called on one
  ///   thread at a time.
  package init(
    count: Int, upcoming: @escaping @Sendable () throws(NetconvError) -> Job? = { nil }
  ) {
    self.count = count
    self.upcoming = upcoming
  }

  /// Runs `jobs`, their successors, and all upcoming jobs.
  ///
  /// - Throws: the error of the first failing part of the earliest job; nothing new is started after a failure.
  package func perform(_ jobs: [Job]) throws(NetconvError) {
    state.withLock { $0.add(jobs) }
    if count == 1 {
      work(as: 0)
    } else {
      DispatchQueue.concurrentPerform(iterations: count) { work(as: $0) }
    }
    if let failure = state.withLock({ $0.failure }) { throw failure.error }
  }

  private func work(as worker: Int) {
    while true {
      switch state.withLock({ $0.take() }) {
      case .part(let part, let job, let number):
        do throws(NetconvError) {
          try job.work(worker, part)
          report { $0.finish(part, of: number) }
        } catch {
          report { $0.fail(part, of: number, error) }
        }
      case .upcoming:
        do throws(NetconvError) {
          let job = try upcoming()
          report { $0.finishUpcoming(job) }
        } catch {
          report { $0.failUpcoming(error) }
        }
      case .wait: wakeUp.wait()
      case .end: return
      }
    }
  }

  /// Changes the state, and wakes the threads that wait for a change.
  private func report(_ change: @Sendable (inout WorkerPoolState) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = 0 }
      return state.waiting
    }
    for _ in 0..<waiting { wakeUp.signal() }
  }
}

/// The queue of jobs, and the progress of their parts.
private struct WorkerPoolState {
  enum Instruction {
    case part(Int, of: WorkerPool.Job, number: Int)
    case upcoming
    case wait
    case end
  }

  private struct Open {
    let job: WorkerPool.Job
    let number: Int
    var nextPart = 0
    var unfinished: Int
  }

  private(set) var failure: (job: Int, part: Int, error: NetconvError)?
  /// The number of threads that wait for a change.
  var waiting = 0
  private var open: [Open] = []
  private var jobCount = 0
  private var running = 0
  private var isAsking = false
  private var isExhausted = false

  mutating func add(_ jobs: [WorkerPool.Job]) {
    for job in jobs {
      guard job.parts > 0 else {
        add(job.next())
        continue
      }
      open.append(Open(job: job, number: jobCount, unfinished: job.parts))
      jobCount += 1
    }
  }

  mutating func take() -> Instruction {
    if failure == nil {
      let begun = open.indices.filter { open[$0].nextPart < open[$0].job.parts }
      if let index = begun.first(where: { open[$0].job.urgency == .high }) ?? begun.first {
        running += 1
        defer { open[index].nextPart += 1 }
        return .part(open[index].nextPart, of: open[index].job, number: open[index].number)
      }
      if !isExhausted, !isAsking {
        isAsking = true
        running += 1
        return .upcoming
      }
    }
    guard running > 0 else { return .end }
    waiting += 1
    return .wait
  }

  mutating func finish(_ part: Int, of number: Int) {
    running -= 1
    guard let index = open.firstIndex(where: { $0.number == number }) else { return }
    open[index].unfinished -= 1
    if open[index].unfinished == 0 {
      let job = open.remove(at: index).job
      if failure == nil { add(job.next()) }
    }
  }

  mutating func fail(_ part: Int, of number: Int, _ error: NetconvError) {
    running -= 1
    if failure.map({ (number, part) < ($0.job, $0.part) }) ?? true {
      failure = (number, part, error)
    }
  }

  mutating func finishUpcoming(_ job: WorkerPool.Job?) {
    running -= 1
    isAsking = false
    if let job { add([job]) } else { isExhausted = true }
  }

  mutating func failUpcoming(_ error: NetconvError) {
    isAsking = false
    fail(0, of: jobCount, error)
  }
}
