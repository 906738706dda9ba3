import Synchronization

extension HDF5File {
  private static let currentConnection = Mutex<HelperConnection?>(nil)

  /// The process that reads HDF5 files which are opened from now on; `nil`, as at first, if it is this one.
  package static var connection: HelperConnection? {
    get { currentConnection.withLock { $0 } }
    set {
      // The one before ends outside of the lock.
      let previous = currentConnection.withLock { connection in
        defer { connection = newValue }
        return connection
      }
      withExtendedLifetime(previous) {}
    }
  }
}
