import Confinement
import Files
import ModelIR
import Synchronization

/// The client of the helper process that reads HDF5 files.
///
/// The process is started for the first file, and again after a failure. It ends with this object, or with this
/// process.
package final class HDF5Connection: Sendable {
  private let state: Mutex<HDF5ConnectionState>
  private let nextFile = Atomic(0)

  /// Creates a connection without starting the process.
  package init(_ settings: HelperSettings) {
    state = Mutex(HDF5ConnectionState(settings))
  }

  /// The process identifier, if the process is running.
  package var processIdentifier: Int32? { state.withLock { $0.processIdentifier } }

  /// Starts the process without waiting for it, unless it is running; errors appear later.
  package func start() {
    state.withLock { state in try? state.start() }
  }

  /// Opens the HDF5 file in `window`.
  ///
  /// - Throws: The error that the process reports; `badData` if the process fails.
  func open(_ window: HDF5Window) throws(NetconvError) -> (HelperFile, HDF5Index) {
    let number = nextFile.add(1, ordering: .relaxed).newValue
    let index = try state.withLock { state throws(NetconvError) in
      try state.open(number, window, wantsIndex: true)
    }
    guard let index else { throw .answersNonsense(HDF5Service.purpose) }
    return (HelperFile(number: number, window: window, connection: self), index)
  }

  fileprivate func read(
    _ range: Range<Int>, of values: StoredValues, in file: HelperFile,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(NetconvError) {
    let destination = Destination(buffer: buffer)
    try state.withLock { state throws(NetconvError) in
      try state.read(range, of: values, in: file.number, file.window, into: destination)
    }
  }

  fileprivate func close(_ file: HelperFile) {
    state.withLock { $0.close(file.number) }
  }
}

/// A buffer for values that is filled before the call returns and not retained.
struct Destination: @unchecked Sendable {
  let buffer: UnsafeMutableRawBufferPointer
}

/// A file that the helper process keeps open until this object is released.
final class HelperFile: ValueReader {
  let number: Int
  let window: HDF5Window
  private let connection: HDF5Connection

  init(number: Int, window: HDF5Window, connection: HDF5Connection) {
    self.number = number
    self.window = window
    self.connection = connection
  }

  deinit { connection.close(self) }

  func read(
    _ range: Range<Int>, of values: StoredValues, into buffer: UnsafeMutableRawBufferPointer
  ) throws(NetconvError) {
    try connection.read(range, of: values, in: self, into: buffer)
  }
}
