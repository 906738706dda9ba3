import Synchronization

/// The process that is asked from now on, if it is another than this one; a setting of the whole program.
package final class CurrentConnection<Connection: Sendable>: Sendable {
  private let current = Mutex<Connection?>(nil)

  package init() {}

  package var value: Connection? {
    get { current.withLock { $0 } }
    set {
      // The one before ends outside of the lock.
      let previous = current.withLock { connection in
        defer { connection = newValue }
        return connection
      }
      withExtendedLifetime(previous) {}
    }
  }
}
