import HDF5
import ModelIR
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Opening a file")
struct HDF5OpeningTests {
  private func error(opening path: String) throws -> NetconvError {
    try thrownError { () throws(NetconvError) in try HDF5File(path: path) }
  }

  @Test("a file that is not there cannot be opened")
  func missing() throws {
    let error = try error(opening: "/no/such/file.h5")
    #expect(error.kind == .cannotOpen)
    #expect(error.description == "/no/such/file.h5: no such file or folder; check the path")
  }

  @Test("a directory cannot be opened")
  func directory() throws {
    let error = try error(opening: "/tmp")
    #expect(error.kind == .cannotOpen)
    #expect(error.description == "/tmp: is a folder, expected a file")
  }

  @Test("a device cannot be opened")
  func device() throws {
    let error = try error(opening: "/dev/null")
    #expect(error.kind == .cannotOpen)
    #expect(
      error.description
        == "/dev/null: is not a regular file")
  }

  @Test("a file without permission cannot be opened", .enabled(if: geteuid() != 0))
  func permission() throws {
    let file = try TemporaryFile([0])
    chmod(file.path, 0)
    let error = try error(opening: file.path)
    #expect(error.kind == .cannotOpen)
    #expect(error.message == "permission denied; it must be readable")
  }

  @Test("an empty file is called empty")
  func empty() throws {
    let error = try error(opening: Fixture.path("empty.h5"))
    #expect(error.kind == .badData)
    #expect(error.file == Fixture.path("empty.h5"))
    #expect(error.message == "the file is empty, expected an HDF5 file")
  }

  @Test("a text file is quoted")
  func text() throws {
    let error = try error(opening: Fixture.path("not-hdf5.h5"))
    #expect(error.kind == .badData)
    #expect(
      error.message
        == "not an HDF5 file: it begins with 'This is ', expected 89 48 44 46 0d 0a 1a 0a")
  }

  @Test("a binary file is shown in hexadecimal")
  func binary() throws {
    let file = try TemporaryFile([0x50, 0x4B, 3, 4, 0xFF])
    #expect(
      try error(opening: file.path).message
        == "not an HDF5 file: it begins with 50 4b 03 04 ff, expected 89 48 44 46 0d 0a 1a 0a")
  }

  @Test("a file cut in half says how long it was")
  func half() throws {
    let error = try error(opening: Fixture.path("truncated.h5"))
    #expect(error.kind == .badData)
    #expect(
      error.message
        == "the file is truncated: it has 22280 bytes, and its superblock says 44560; "
        + "copy or download it again")
  }

  @Test(
    "a file cut off anywhere is an error",
    arguments: ["links.h5", "latest.h5", "user-block.h5"])
  func cutOff(name: String) throws {
    let bytes = try Fixture.bytes(name)
    for count in Array(0..<1_100) + Array(stride(from: 1_100, to: bytes.count, by: 97)) {
      let file = try TemporaryFile(bytes.prefix(count))
      let error = try error(opening: file.path)
      #expect(error.kind == .badData)
      #expect(error.file == file.path)
    }
  }

  @Test("the cut of a file behind a user block is measured from the file's start")
  func cutUserBlock() throws {
    let file = try TemporaryFile(Fixture.bytes("user-block.h5").dropLast(1))
    #expect(
      try error(opening: file.path).message
        == "the file is truncated: it has 2619 bytes, and its superblock says 2620; "
        + "copy or download it again")
  }

  @Test("a damaged superblock is told in libhdf5's words")
  func damagedSuperblock() throws {
    var bytes = try Fixture.bytes("links.h5")
    bytes[8] = 200
    let file = try TemporaryFile(bytes)
    #expect(
      try error(opening: file.path).message
        == "the HDF5 file is damaged: libhdf5 cannot open it (bad superblock version number)")
  }

  @Test("the signature tells an HDF5 file")
  func signature() throws {
    let name = Fixture.path("links.h5")
    #expect(try HDF5File.isHDF5(at: name))
    #expect(try HDF5File.isHDF5(at: Fixture.path("user-block.h5")))
    #expect(try !HDF5File.isHDF5(at: Fixture.path("not-hdf5.h5")))
    #expect(try !HDF5File.isHDF5(at: Fixture.path("empty.h5")))
    #expect(HDF5File.isHDF5(prefix: Array(try Fixture.bytes("links.h5").prefix(8))))
    #expect(!HDF5File.isHDF5(prefix: Array(try Fixture.bytes("links.h5").prefix(7))))
    #expect(HDF5File.isHDF5(prefix: Array(try Fixture.bytes("user-block.h5").prefix(520))))
    #expect(!HDF5File.isHDF5(prefix: []))
    let error = try thrownError { () throws(NetconvError) in
      try HDF5File.isHDF5(at: "/no/such/file.h5")
    }
    #expect(error.kind == .cannotOpen)
  }
}
