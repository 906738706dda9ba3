import Confinement
import HDF5
import Pictures

/// Where libhdf5, libpng and libjpeg are called, by which HDF5 files, PNG and JPEG are read.
///
/// libhdf5 crashes with some files that were damaged on purpose, and never ends with others. Formats that netconv reads
/// by itself are always read in this process.
public enum LibraryCalls: Sendable {
  /// In this process, which goes down with a library.
  case inProcess
  /// In processes, one for HDF5 files and one for pictures, that can do nothing but read what they are handed: what
  /// brings one down, or keeps it busy, is an error that says so.
  ///
  /// Each is started with the first file, serves all that follow, and ends with this process.
  /// - `helper`: the path of netconv, or of another program that calls ``Netconv/serveLibraryCallsIfAsked()`` first.
  case process(helper: String)
}

extension Netconv {
  /// Says where libraries are called for files that are opened from now on, by any function; at first that is in this
  /// process.
  ///
  /// - Parameters:
  ///   - calls: where.
  ///   - paths: files that are about to be opened; processes that their names speak for are started at once.
  ///   - isCancelled: is asked many times a second while a process is waited for; `true` ends the wait with an
  ///     `interrupted` error.
  ///   - onUnfiltered: is told, with a reason, that the system does not keep a process from system calls which reading
  ///     does not need; it has limits and nothing but the file all the same.
  public static func callLibraries(
    _ calls: LibraryCalls, expecting paths: [String] = [],
    isCancelled: @escaping @Sendable () -> Bool = { false },
    onUnfiltered: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    switch calls {
    case .inProcess: (HDF5File.connection, PictureFile.connection) = (nil, nil)
    case .process(let helper):
      let settings = HelperSettings(
        program: helper, isCancelled: isCancelled, onUnfiltered: onUnfiltered)
      let (files, pictures) = (HDF5Connection(settings), PictureConnection(settings))
      if expects(["h5", "hdf5", "keras"], among: paths) { files.start() }
      if expects(["png", "jpg", "jpeg"], among: paths) { pictures.start() }
      (HDF5File.connection, PictureFile.connection) = (files, pictures)
    }
  }

  private static func expects(_ endings: [String], among paths: [String]) -> Bool {
    paths.contains { path in endings.contains { path.lowercased().hasSuffix(".\($0)") } }
  }

  /// Makes this process one that calls a library for another, until nobody asks, if it was started for that; else does
  /// nothing.
  ///
  /// To be called before anything else by a program whose own path is handed to ``LibraryCalls/process(helper:)``.
  public static func serveLibraryCallsIfAsked() {
    HelperServer.run([HDF5Service.self, PictureService.self])
  }
}
