import Dispatch
import ModelIR
import Synchronization

/// Runs two closures, concurrently if there are cores for both, and waits for both.
func concurrently<First: Sendable, Second: Sendable>(
  _ first: @Sendable () throws(NetconvError) -> First,
  and second: @Sendable () throws(NetconvError) -> Second
) -> (Result<First, NetconvError>, Result<Second, NetconvError>) {
  let results = Mutex<(Result<First, NetconvError>?, Result<Second, NetconvError>?)>((nil, nil))
  DispatchQueue.concurrentPerform(iterations: 2) { index in
    if index == 0 {
      let result = Result(catching: first)
      results.withLock { $0.0 = result }
    } else {
      let result = Result(catching: second)
      results.withLock { $0.1 = result }
    }
  }
  guard case (let first?, let second?) = results.withLock({ $0 }) else {
    preconditionFailure("both have run")
  }
  return (first, second)
}
