internal import CHDF5
import ModelIR

/// A version of libhdf5 without the patch level, within which the interface is stable.
package struct LibraryVersion: Sendable, Equatable {
  /// The major version.
  package let major: UInt32
  /// The minor version.
  package let minor: UInt32

  /// The version of the headers that netconv was compiled with.
  package static let ofHeaders = LibraryVersion(
    major: UInt32(H5_VERS_MAJOR), minor: UInt32(H5_VERS_MINOR))

  /// Creates the version `major.minor`.
  package init(major: UInt32, minor: UInt32) {
    self.major = major
    self.minor = minor
  }
}

/// Locates and loads libhdf5.
package enum LibraryLoader {
  /// Returns the possible names and paths of the library in this version, the likeliest first.
  ///
  /// Source of the numbers: the library's `SONAME`.
  package static func names(of version: LibraryVersion) -> [String] {
    #if canImport(Darwin)
      // A name without a folder is also looked up in the working directory, where a checkpoint may have brought a
      // malicious library.
      return ["/opt/homebrew/lib", "/usr/local/lib", "/opt/local/lib"].map { "\($0)/libhdf5.dylib" }
    #else
      let number: String? =
        switch (version.major, version.minor) {
        case (1, 10): "103"
        case (1, 12): "200"
        case (1, 14): "310"
        case (2, _): "320"
        default: nil
        }
      // Debian separates the serial library from those for MPI. Names without a number are for development.
      return [number.map { ".\($0)" }, ""].compactMap(\.self).flatMap { number in
        ["libhdf5_serial.so\(number)", "libhdf5.so\(number)"]
      }
    #endif
  }

  /// Loads the first library of `names` that is libhdf5 in the given version.
  ///
  /// Must be called under the lock of ``HDF5Library``.
  /// - Throws: `cannotOpen` with the reason for each name, if none can be loaded.
  package static func load(
    _ names: [String], version: LibraryVersion
  ) throws(NetconvError) {
    var reasons: [String] = []
    for name in names {
      guard let reason = reasonNotToLoad(name, version) else { return }
      reasons.append(reason)
    }
    throw .libraryNotLoaded(version: "\(version.major).\(version.minor)", reasons: reasons)
  }

  /// Loads the library `name`.
  ///
  /// - Returns: `nil` on success, else the reason for the failure.
  private static func reasonNotToLoad(_ name: String, _ version: LibraryVersion) -> String? {
    var reason = [CChar](repeating: 0, count: 512)
    let outcome = chdf5_load(name, version.major, version.minor, &reason, reason.count)
    let words = String(
      decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return switch outcome {
    case CHDF5_LOADED: nil
    case CHDF5_NO_SUCH_NAME: "\(name): has no \(words)"
    case CHDF5_OTHER_VERSION: "\(name): is version \(words)"
    default: words
    }
  }
}

extension NetconvError {
  fileprivate static func libraryNotLoaded(version: String, reasons: [String]) -> NetconvError {
    NetconvError(
      .cannotOpen,
      "HDF5 files are read with libhdf5 \(version), which cannot be loaded; install it "
        + "('apt-get install libhdf5-dev' on Debian and Ubuntu, 'brew install hdf5' on macOS), "
        + "or build netconv again if another version is installed", details: reasons)
  }
}
