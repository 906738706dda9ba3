import HDF5
import ModelIR
import Testing

@Suite("Storage")
struct HDF5StorageTests {
  private func file() throws -> HDF5File {
    try HDF5File(path: Fixture.path("storage.h5"))
  }

  /// The values of every dataset of storage.h5 that was completely written.
  private static let values = (0..<70).map { Float($0) / 4 }

  @Test(
    "every layout and accepted filter is read",
    arguments: [
      "chunked", "compact", "contiguous", "fletcher32", "gzip", "gzip_shuffle_fletcher32",
      "resizable", "shuffle",
    ])
  func layouts(name: String) throws {
    let dataset = try file().dataset(at: name)
    #expect(dataset.shape == [7, 10])
    #expect(dataset.count == 70)
    #expect(dataset.elementType == .float32)
    #expect(try dataset.allValues() == Self.values)
    #expect(try dataset.floats(13..<44) == Array(Self.values[13..<44]))
  }

  @Test("what was never written is the fill value")
  func fillValue() throws {
    let file = try file()
    let never = try file.dataset(at: "never_written")
    #expect(never.storage == .neverAllocated)
    #expect(try never.allValues() == [Float](repeating: 0.5, count: 70))
    let partly = try file.dataset(at: "partly_written").allValues()
    // Rows 0 to 2 and columns 0 to 3 were written.
    for (index, value) in partly.enumerated() {
      let isWritten = index / 10 < 3 && index % 10 < 4
      #expect(value == (isWritten ? Self.values[index] : -2))
    }
  }

  @Test(
    "the index says how values are stored",
    arguments: [
      ("compact", .compact), ("chunked", .chunked([3, 4])),
      // h5dump -p -H storage.h5
      ("contiguous", .contiguous(offset: 2_048)), ("external", .external(file: "external.bin")),
      ("external_missing", .external(file: "no-such-file.bin")),
      ("virtual", .virtual(file: "storage-part.h5")),
      ("virtual_missing", .virtual(file: "no-such-file.h5")),
    ] as [(String, HDF5Storage)])
  func storage(name: String, expected: HDF5Storage) throws {
    #expect(try file()[name]?.dataset?.storage == expected)
  }

  @Test("the index names filters in the order they were applied")
  func filters() throws {
    let file = try file()
    #expect(
      file["gzip_shuffle_fletcher32"]?.dataset?.filters.map(\.name)
        == ["shuffle", "deflate", "fletcher32"])
    #expect(file["gzip"]?.dataset?.filters.map(\.id) == [1])
    #expect(file["contiguous"]?.dataset?.filters == [])
  }

  @Test(
    "a filter that is not undone is named",
    arguments: [
      ("lzf", "'lzf' (id 32000)"), ("szip", "'szip' (id 4)"),
      ("scaleoffset_int", "'scaleoffset' (id 6)"), ("scaleoffset_float", "'scaleoffset' (id 6)"),
    ])
  func unsupportedFilter(name: String, filter: String) throws {
    let file = try file()
    let error = try thrownError { () throws(NetconvError) in try file.dataset(at: name) }
    #expect(error.kind == .badData)
    #expect(error.tensor == "/" + name)
    #expect(
      error.message
        == "is compressed with the filter \(filter), expected deflate, shuffle or fletcher32; "
        + "write it again with one of these, or h5repack -f NONE")
  }

  @Test(
    "values in other files are refused by name",
    arguments: [
      (
        "external",
        "its values are in the file 'external.bin' (external storage), but netconv opens no "
          + "other file; write the dataset into this one"
      ),
      (
        "virtual",
        "is a virtual dataset, composed of the file 'storage-part.h5', but netconv opens "
          + "no other file; write it as an ordinary dataset"
      ),
    ])
  func otherFiles(name: String, message: String) throws {
    let file = try file()
    let error = try thrownError { () throws(NetconvError) in try file.dataset(at: name) }
    #expect(error.kind == .badData)
    #expect(error.file == file.path)
    #expect(error.tensor == "/" + name)
    #expect(error.message == message)
  }

  @Test("the newest file format is read")
  func latest() throws {
    let file = try HDF5File(path: Fixture.path("latest.h5"))
    #expect(file.datasets.count == 25)
    for entry in file.datasets {
      #expect(try file.dataset(entry).allValues() == (0..<24).map { Float($0) }, "\(entry.path)")
    }
  }

  @Test("offsets count from the start of the file, before a user block")
  func userBlock() throws {
    let dataset = try HDF5File(path: Fixture.path("user-block.h5")).dataset(at: "values")
    #expect(dataset.storage == .contiguous(offset: 2_560))
    // h5dump -d /values -y user-block.h5
    #expect(try dataset.floats(0..<3) == [1.1012625, 0.33843127, -0.53997153])
  }

  @Test(
    "a dataset that ends past the end of the file is refused, the rest is not",
    arguments: [
      ("data", "the values take 4000 bytes from byte 2048 on"),
      ("double", "the values take 8000 bytes from byte 6048 on"),
    ])
  func truncated(name: String, found: String) throws {
    let file = try HDF5File(path: Fixture.path("short.h5"))
    let error = try thrownError { () throws(NetconvError) in try file.dataset(at: name) }
    #expect(error.kind == .badData)
    #expect(error.tensor == "/" + name)
    #expect(
      error.message == "the file is truncated: \(found), and the file ends after 5948; "
        + "copy or download it again")
  }

  @Test("a chunk that fails its checksum is told in libhdf5's words")
  func checksum() throws {
    let file = try HDF5File(path: Fixture.path("bad-checksum.h5"))
    let dataset = try file.dataset(at: "data")
    #expect(try dataset.floats(0..<8) == [0, 1, 2, 3, 4, 5, 6, 7])
    let error = try thrownError { () throws(NetconvError) in try dataset.floats(0..<9) }
    #expect(error.kind == .badData)
    #expect(error.file == file.path)
    #expect(error.tensor == "/data")
    // What follows is libhdf5's, and its versions put it differently.
    #expect(error.message.hasPrefix("damaged: libhdf5 cannot read its values ("))
    #expect(error.message.hasSuffix(")"))
  }
}
