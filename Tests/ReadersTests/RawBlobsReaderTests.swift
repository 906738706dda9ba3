import ModelIR
import Readers
import TestSupport
import Testing

@Suite("Raw blobs")
struct RawBlobsReaderTests {
  private static let model = """
    {"format": "netconv-model", "version": 1, "name": "tiny",
     "inputs": [{"name": "x", "shape": [2, 3, 1]}], "outputs": ["fc"],
     "layers": [
      {"name": "flatten", "operator": "Flatten", "inputs": ["x"]},
      {"name": "fc", "operator": "Dense", "inputs": ["flatten"], "attributes": {"units": 2},
       "parameters": [{"role": "kernel", "file": "all.bin", "dtype": "TYPE", "layout": "(HWI)O",
                       "offset": 8}]}]}
    """

  private func folder(type: String, bytes: [UInt8]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.model.replacing("TYPE", with: type), to: "model.json")
    try folder.write([UInt8](repeating: 0xff, count: 8) + bytes, to: "all.bin")
    return folder
  }

  @Test(
    "values begin at the offset and are converted from every type",
    arguments: [
      ("int8", 1), ("uint8", 1), ("int16", 2), ("uint16", 2), ("int32", 4), ("uint32", 4),
      ("int64", 8), ("uint64", 8),
    ])
  func integers(type: String, size: Int) throws {
    let bytes = (0..<12).flatMap { value in
      [UInt8(value)] + [UInt8](repeating: 0, count: size - 1)
    }
    let source = try ReaderRegistry.read(try folder(type: type, bytes: bytes).path)
    #expect(try source.model.tensors[0].values() == (0..<12).map(Float.init))
  }

  @Test("half, single and double precision give the same values")
  func floatingPoint() throws {
    // 1.5 in binary16, binary32 and binary64, little-endian.
    let patterns: [(String, [UInt8])] = [
      ("float16", [0x00, 0x3e]), ("float32", [0, 0, 0xc0, 0x3f]),
      ("float64", [0, 0, 0, 0, 0, 0, 0xf8, 0x3f]),
    ]
    for (type, pattern) in patterns {
      let bytes = (0..<12).flatMap { _ in pattern }
      let source = try ReaderRegistry.read(try folder(type: type, bytes: bytes).path)
      #expect(try source.model.tensors[0].values() == Array(repeating: 1.5, count: 12))
    }
  }

  @Test("a blob that ends too early is refused before anything is read")
  func tooShort() throws {
    let folder = try folder(type: "float32", bytes: [UInt8](repeating: 0, count: 47))
    let error = try #require(throws: NetconvError.self) { try ReaderRegistry.read(folder.path) }
    #expect(
      error.description == folder.file("all.bin")
        + ": layer 'fc', tensor 'kernel': holds 47 bytes from its offset on, expected at least 48 "
        + "([6, 2] of float32); correct the layer, the type or the file")
  }
}
