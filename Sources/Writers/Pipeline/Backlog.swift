import Dispatch
import ModelIR
import Synchronization

/// Work that is done one piece after the other, while the caller goes on.
final class Backlog: Sendable {
  private let queue = DispatchQueue(label: "netconv.backlog")
  private let failure = Mutex<NetconvError?>(nil)
  private let isAbandoned = Mutex(false)

  /// Adds a piece; it is left out if an earlier one has failed.
  ///
  /// - Throws: the error of an earlier piece.
  func add(_ work: @escaping @Sendable () throws(NetconvError) -> Void) throws(NetconvError) {
    if let error = failure.withLock({ $0 }) { throw error }
    queue.async { [self] in
      guard failure.withLock({ $0 == nil }), !isAbandoned.withLock({ $0 }) else { return }
      do throws(NetconvError) {
        try work()
      } catch {
        failure.withLock { $0 = error }
      }
    }
  }

  /// Leaves out what has not begun, and waits for what has.
  func abandon() {
    isAbandoned.withLock { $0 = true }
    queue.sync {}
  }

  /// Waits until everything is done.
  ///
  /// - Throws: the error of the piece that failed.
  func finish() throws(NetconvError) {
    queue.sync {}
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
