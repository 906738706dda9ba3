import Datasets
import Files
import ModelIR
import TestSupport
import Testing

@Suite struct NumpyArchiveTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `stored and deflated arrays are read`() throws {
    let deflated = try arrays(Fixtures.path("numpy/deflated.npz"))
    #expect(deflated["a"]?.values == [0, 1, 2, 100, 3, 127])
    #expect(deflated["b"]?.shape == [30, 40])
    #expect(deflated["b"]?.values == Array(repeating: 0, count: 1200))
  }

  @Test func `arrays come in the order of the file`() throws {
    let arrays = try NumpyArchive.read(Fixtures.path("numpy/orders.npz"))
    #expect(arrays.map(\.name) == ["c", "fortran", "fortran2", "fortran-with-1"])
  }

  @Test func `a single array has no name`() throws {
    let arrays = try NumpyArchive.read(Fixtures.path("numpy/version1.npy"))
    #expect(arrays.map(\.name) == [""])
    #expect(arrays.first?.array.shape == [2, 3, 4])
  }

  @Test func `what is written is read again`() throws {
    let path = folder.file("y.npz")
    let written: [(name: String, array: NDArray<Float>)] = [
      ("y", NDArray(shape: [2, 3], values: [1, 2, 3, 4, 5, .infinity])),
      ("größe/x", NDArray(shape: [], values: [7])), ("none", NDArray(shape: [0, 2], values: [])),
    ]
    try NumpyArchive.write(written, to: OutputFile(creating: path))
    let read = try NumpyArchive.read(path)
    #expect(read.map(\.name) == written.map(\.name))
    #expect(read.map(\.array.shape) == written.map(\.array.shape))
    #expect(read.map(\.array.values) == written.map(\.array.values))
  }

  @Test func `the same arrays give the same bytes, values on multiples of 64`() throws {
    let array = NDArray<Float>(shape: [2], values: [1, 2])
    for name in ["a", "b"] {
      try NumpyArchive.write(
        [("one", array), ("two", array)], to: OutputFile(creating: folder.file(name)))
    }
    let bytes = try folder.bytes("a")
    #expect(try folder.bytes("b") == bytes)
    let places = bytes.indices.filter {
      bytes[$0...].starts(with: [0, 0, 0x80, 0x3f, 0, 0, 0, 0x40])
    }
    #expect(places.count == 2)
    #expect(places.allSatisfy { $0 % 64 == 0 })
  }

  @Test(arguments: ["types.npz", "deflated.npz"])
  func `an archive cut off anywhere is an error`(name: String) throws {
    let bytes = try fixture(name)
    let path = folder.file("cut.npz")
    for count in 0..<bytes.count {
      try folder.write(bytes.prefix(count), to: "cut.npz")
      let error = thrown { try NumpyArchive.read(path) }
      #expect(error?.kind == .badData, "\(count) bytes")
      #expect(error?.file == path)
    }
  }

  @Test func `an array that is damaged is named`() throws {
    let path = try folder.write(fixture("complex.npy"), to: "c.npy")
    #expect(
      thrown { try NumpyArchive.read(path) }?.description
        == "\(path): holds values of type '<c8', expected numbers such as '<f4' or '|u1'")
    var bytes = try fixture("shapes.npz")
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("'fortran_order': False".utf8)) })
    bytes[place + 1] = 0x46
    let archive = try folder.write(bytes, to: "d.npz")
    #expect(
      thrown { try NumpyArchive.read(archive) }?.description
        == "\(archive): tensor 'scalar': the archive's entry 'scalar.npy' does not match its "
        + "checksum; it is damaged")
  }

  @Test func `an array that inflates to more than its header says is named`() throws {
    let path = Fixtures.path("numpy/longer.npz")
    #expect(
      thrown { try NumpyArchive.read(path) }?.description
        == "\(path): tensor 'a': the compressed data holds more than the expected 136 bytes")
  }

  @Test func `other files are refused`() throws {
    let path = try folder.write("hello", to: "x.npz")
    #expect(
      thrown { try NumpyArchive.read(path) }?.description
        == "\(path): is neither .npy nor .npz; write it with numpy.save or numpy.savez")
    #expect(thrown { try NumpyArchive.read(folder.file("none")) }?.kind == .cannotOpen)
    #expect(thrown { try NumpyArchive.read(folder.path) }?.kind == .cannotOpen)
  }
}
