import Confinement
import HDF5

/// Where HDF5 files are read.
///
/// libhdf5 crashes with some files that were damaged on purpose, and never ends with others.
public enum HDF5Reading: Sendable {
  /// In this process, which goes down with the library.
  case inProcess
  /// In a process that can do nothing but read the files that it is handed: what brings it down, or keeps it busy, is
  /// an error that says so.
  ///
  /// It is started with the first file, serves all that follow, and ends with this process.
  /// - `helper`: the path of netconv, or of another program that calls ``Netconv/serveHDF5IfAsked()`` first.
  case process(helper: String)
}

extension Netconv {
  /// Says where HDF5 files are read that are opened from now on, by any function; at first that is in this process.
  ///
  /// - Parameters:
  ///   - reading: where.
  ///   - startsAtOnce: whether the process is started before it is needed, for whoever is about to open a file.
  ///   - isCancelled: is asked many times a second while that process is waited for; `true` ends the wait with an
  ///     `interrupted` error.
  ///   - onUnfiltered: is told, with a reason, that the system does not keep that process from system calls which
  ///     reading does not need; it has limits and nothing but the file all the same.
  public static func readHDF5(
    _ reading: HDF5Reading, startsAtOnce: Bool = false,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    onUnfiltered: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    switch reading {
    case .inProcess: HDF5File.connection = nil
    case .process(let helper):
      let connection = HDF5Connection(
        HelperSettings(program: helper, isCancelled: isCancelled, onUnfiltered: onUnfiltered))
      if startsAtOnce { connection.start() }
      HDF5File.connection = connection
    }
  }

  /// Makes this process the one that reads HDF5 files for another, until nobody asks, if it was started for that; else
  /// does nothing.
  ///
  /// To be called before anything else by a program whose own path is handed to ``HDF5Reading/process(helper:)``.
  public static func serveHDF5IfAsked() {
    HelperServer.run([HDF5Service.self])
  }
}
