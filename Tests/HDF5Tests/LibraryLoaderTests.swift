import HDF5
import ModelIR
import Testing

@Suite("Loading libhdf5")
struct LibraryLoaderTests {
  private func error(
    loading names: [String], version: LibraryVersion = .ofHeaders
  ) throws -> NetconvError {
    try thrownError { () throws(NetconvError) in
      try HDF5Library.withLock { () throws(NetconvError) in
        try LibraryLoader.load(names, version: version)
      }
    }
  }

  @Test("a library that is not there is named, with the way to install it")
  func missing() throws {
    let error = try error(
      loading: ["/no/such/libhdf5.so", "/no/such/libother.so"],
      version: LibraryVersion(major: 1, minor: 10))
    #expect(error.kind == .cannotOpen)
    #expect(
      error.message
        == "HDF5 files are read with libhdf5 1.10, which cannot be loaded; install it "
        + "('apt-get install libhdf5-dev' on Debian and Ubuntu, 'brew install hdf5' on macOS), "
        + "or build netconv again if another version is installed")
    // The words are the system's.
    #expect(error.details.count == 2)
    #expect(error.details.first?.contains("/no/such/libhdf5.so") == true)
    #expect(error.details.last?.contains("/no/such/libother.so") == true)
  }

  @Test("another library is told by a name that it lacks")
  func otherLibrary() throws {
    #if canImport(Darwin)
      let name = "/usr/lib/libz.1.dylib"
    #else
      let name = "libz.so.1"
    #endif
    #expect(try error(loading: [name]).details == ["\(name): has no H5get_libversion"])
  }

  @Test("another version is not used, whatever its name")
  func otherVersion() throws {
    let version = LibraryVersion.ofHeaders
    let error = try error(
      loading: LibraryLoader.names(of: version),
      version: LibraryVersion(major: version.major, minor: version.minor + 1))
    #expect(
      error.message.hasPrefix(
        "HDF5 files are read with libhdf5 \(version.major).\(version.minor + 1), "))
    let found = "is version \(version.major).\(version.minor)."
    #expect(error.details.contains { $0.contains(found) })
  }

  @Test("names carry the number of the version's interface where it is known")
  func names() {
    #if canImport(Darwin)
      let prefix = "/"
    #else
      let prefix = "libhdf5"
      #expect(
        LibraryLoader.names(of: LibraryVersion(major: 1, minor: 14)) == [
          "libhdf5_serial.so.310", "libhdf5.so.310", "libhdf5_serial.so", "libhdf5.so",
        ])
      #expect(
        LibraryLoader.names(of: LibraryVersion(major: 9, minor: 0)) == [
          "libhdf5_serial.so", "libhdf5.so",
        ])
    #endif
    for name in LibraryLoader.names(of: .ofHeaders) { #expect(name.hasPrefix(prefix)) }
  }

  @Test("what is in use stays in use after an attempt that failed")
  func inUse() throws {
    _ = try error(loading: ["/no/such/libhdf5.so"])
    #expect(try HDF5File(path: Fixture.path("types.h5")).datasets.isEmpty == false)
  }
}
