import Dispatch
import ModelIR
import Synchronization

/// Work that is done one piece after the other, while the caller goes on.
final class Backlog: Sendable {
  private let queue = DispatchQueue(label: "netconv.backlog")
  private let state = Mutex(State())

  private struct State {
    var failure: NetconvError?
    var isAbandoned = false

    var takesWork: Bool { failure == nil && !isAbandoned }
  }

  /// Adds a piece; it is left out if an earlier one has failed.
  ///
  /// - Throws: the error of an earlier piece.
  func add(_ work: @escaping @Sendable () throws(NetconvError) -> Void) throws(NetconvError) {
    try throwFailure()
    queue.async { [self] in
      guard state.withLock({ $0.takesWork }) else { return }
      do throws(NetconvError) {
        try work()
      } catch {
        state.withLock { $0.failure = error }
      }
    }
  }

  /// Leaves out what has not begun, and waits for what has.
  func abandon() {
    state.withLock { $0.isAbandoned = true }
    queue.sync {}
  }

  /// Waits until everything is done.
  ///
  /// - Throws: the error of the piece that failed.
  func finish() throws(NetconvError) {
    queue.sync {}
    try throwFailure()
  }

  private func throwFailure() throws(NetconvError) {
    if let error = state.withLock({ $0.failure }) { throw error }
  }
}
