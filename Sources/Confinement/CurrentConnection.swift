import Synchronization

/// The program-wide connection to a helper process; `nil` to work in this process.
package final class CurrentConnection<Connection: Sendable>: Sendable {
  private let current = Mutex<Connection?>(nil)

  package init() {}

  package var value: Connection? {
    get { current.withLock { $0 } }
    set {
      // The previous connection is released outside of the lock.
      let previous = current.withLock { connection in
        defer { connection = newValue }
        return connection
      }
      withExtendedLifetime(previous) {}
    }
  }
}
