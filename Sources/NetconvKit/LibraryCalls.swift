import Confinement
import HDF5
import Pictures

/// The process that calls libhdf5, libpng and libjpeg, which read HDF5, PNG and JPEG files.
///
/// libhdf5 crashes on some files that were damaged on purpose, and never returns on others. Formats that netconv
/// parses itself are always read in this process.
public enum LibraryCalls: Sendable {
  /// In this process, which crashes if a library does.
  case inProcess
  /// In helper processes, one for HDF5 files and one for pictures, that can only read the bytes they are handed. A
  /// helper that crashes or hangs is reported as an error.
  ///
  /// Each helper starts with the first file, serves all later ones, and ends with this process.
  /// - `helper`: the path of netconv, or of another program that calls ``Netconv/serveLibraryCallsIfAsked()`` first.
  case process(helper: String)
}

extension Netconv {
  /// Sets the process that calls libraries for all files opened from now on.
  ///
  /// The default is this process.
  ///
  /// - Parameters:
  ///   - calls: the process to use.
  ///   - paths: files that are about to be opened; the helpers that their extensions need are started at once.
  ///   - isCancelled: called many times a second while waiting for a helper; returning `true` ends the wait with an
  ///     `interrupted` error.
  ///   - onUnfiltered: called with a reason if the system cannot filter a helper's system calls; its limits apply all
  ///     the same, and it can read nothing but the file.
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

  /// Serves another process's library calls until there are no more, if this process was started for that; otherwise
  /// does nothing.
  ///
  /// Call this before anything else in a program whose own path is passed to ``LibraryCalls/process(helper:)``.
  public static func serveLibraryCallsIfAsked() {
    HelperServer.run([HDF5Service.self, PictureService.self])
  }
}
