import Dispatch
import ModelIR
import Synchronization

/// Threads that share the parts of one piece of work.
struct Workers: Sendable {
  /// At least 1.
  let count: Int

  fileprivate struct Progress {
    var next = 0
    var failure: (part: Int, error: NetconvError)?
  }

  /// Does `work` for each of 0..<`parts`; a worker that is done with one takes the next.
  ///
  /// - Parameter work: is told who works and on which part.
  /// - Throws: the error of the first part that fails; no other is begun after it.
  func perform(
    _ parts: Int,
    _ work: @Sendable (_ worker: Int, _ part: Int) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    guard count > 1, parts > 1 else {
      for part in 0..<parts { try work(0, part) }
      return
    }
    let progress = Mutex(Progress())
    DispatchQueue.concurrentPerform(iterations: min(count, parts)) { worker in
      while let part = progress.withLock({ $0.take(of: parts) }) {
        do throws(NetconvError) {
          try work(worker, part)
        } catch {
          progress.withLock { $0.fail(part, error) }
        }
      }
    }
    if let failure = progress.withLock({ $0.failure }) { throw failure.error }
  }
}

extension Workers.Progress {
  fileprivate mutating func take(of parts: Int) -> Int? {
    guard failure == nil, next < parts else { return nil }
    next += 1
    return next - 1
  }

  fileprivate mutating func fail(_ part: Int, _ error: NetconvError) {
    if failure.map({ part < $0.part }) ?? true { failure = (part, error) }
  }
}
