import Confinement
import Files
import ModelIR
import Synchronization

/// The process that reads HDF5 files, as the one that uses it sees it.
///
/// It is started with the first file, and again after it has failed; it ends with this object, or with this process.
package final class HDF5Connection: Sendable {
  private let state: Mutex<HDF5ConnectionState>
  private let nextFile = Atomic(0)

  /// Nothing is started yet.
  package init(_ settings: HelperSettings) {
    state = Mutex(HDF5ConnectionState(settings))
  }

  /// The system's number for the process, if it is there.
  package var processIdentifier: Int32? { state.withLock { $0.processIdentifier } }

  /// Starts the process without waiting for it, if it is not there; what goes wrong is found out later.
  package func start() {
    state.withLock { state in try? state.start() }
  }

  /// Opens the HDF5 file that `window` shows.
  ///
  /// - Throws: what the process says is wrong with it; `badData` if the process fails.
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

/// Room for values, which is filled before the call that it is handed to returns, and kept by nobody.
struct Destination: @unchecked Sendable {
  let buffer: UnsafeMutableRawBufferPointer
}

/// A file that the process has open, and closes with this object.
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
