#if os(Linux)
  import HDF5
  import TestSupport
  import Testing

  /// netconv on a system whose libhdf5 cannot be loaded: empty files shadow the real one.
  ///
  /// The installed program has libhdf5 linked statically.
  @Suite("Without libhdf5", .enabled(if: NetconvProcess.installed == nil))
  struct LibraryTests {
    private let line: CommandLine
    private let names = LibraryLoader.names(of: .ofHeaders)

    init() throws {
      line = try CommandLine()
      for name in names { try line.folder.write([], to: "libraries/\(name)") }
    }

    private func netconv(_ arguments: String...) throws -> NetconvProcess.Result {
      try NetconvProcess.run(
        arguments, environment: ["LD_LIBRARY_PATH": line.folder.file("libraries")],
        in: line.folder.path)
    }

    @Test(
      "an HDF5 file exits with 66, what was looked for, and how to install it",
      arguments: ["inspect", "verify"])
    func checkpoint(verb: String) throws {
      try line.folder.copy(Fixtures.sample("deep-mnist/deep-mnist.h5"), to: "model.h5")
      let result = try netconv(verb, "model.h5")
      let version = LibraryVersion.ofHeaders
      expectError(
        result, 66,
        "model.h5: HDF5 files are read with libhdf5 \(version.major).\(version.minor), which cannot "
          + "be loaded; install it ('apt-get install libhdf5-dev' on Debian and Ubuntu, 'brew "
          + "install hdf5' on macOS), or build netconv again if another version is installed"
          + names.map { "\n  \(line.folder.file("libraries"))/\($0): file too short" }.joined())
    }

    @Test("everything else works")
    func otherSources() throws {
      let sample = Fixtures.sample("lenet-blobs")
      #expect(try netconv("--help").status == 0)
      #expect(try netconv("inspect", sample).status == 0)
      #expect(try netconv("convert", sample, "out").status == 0)
      #expect(try netconv("verify", "out", "--limit", "1").status == 0)
    }
  }
#endif
