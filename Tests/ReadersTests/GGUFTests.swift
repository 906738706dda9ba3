import Datasets
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// GGUF files written by gguf-py; values are compared bit for bit with its `dequantize`.
@Suite("GGUF")
struct GGUFTests {
  private static func fixture(_ name: String) -> String { Fixtures.path("gguf/" + name) }

  private static func read(_ path: String, acceptingNothing: Bool = false) throws -> ReadSource {
    var options = ReaderOptions(acceptsWeights: true)
    options.acceptsNothing = acceptingNothing
    return try ReaderRegistry.read(path, options)
  }

  private static func expectEqual(_ source: ReadSource, _ expected: String) throws {
    let expected = try NumpyArchive.read(fixture(expected))
    let tensors = source.network.tensors
    #expect(tensors.count == expected.count)
    for (name, array) in expected {
      let tensor = try #require(tensors.first { $0.stored.path == name })
      #expect(tensor.storedShape == array.shape, "\(name)")
      #expect(
        try tensor.values().map(\.bitPattern) == array.values.map(\.bitPattern), "\(name)")
    }
  }

  @Test(
    "values are those of gguf-py, in either byte order",
    arguments: ["kinds", "big-endian"])
  func values(name: String) throws {
    try Self.expectEqual(try Self.read(Self.fixture(name + ".gguf")), name + ".npz")
  }

  @Test("each kind of blocks is read, also from the middle of a block on")
  func parts() throws {
    let tensors = try Self.read(Self.fixture("kinds.gguf")).network.tensors
    let quantised = tensors.filter { $0.stored.kind != nil }
    #expect(
      Set(quantised.map(\.stored.typeName)) == [
        "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL",
        "IQ4_XS", "TQ1_0", "TQ2_0", "MXFP4", "NVFP4",
      ])
    for tensor in quantised {
      let all = try tensor.values()
      for range in [1..<all.count - 1, 31..<34, 7..<8, 5..<5, all.count - 1..<all.count] {
        var part = [Float](repeating: 0, count: range.count)
        try part.withUnsafeMutableBufferPointer { try tensor.stored.source.read(range, into: $0) }
        #expect(part.map(\.bitPattern) == all[range].map(\.bitPattern), "\(tensor.stored.path)")
      }
    }
  }

  @Test("scales of whole tensors are applied as their writers define them, and parameters are left")
  func scales() throws {
    try Self.expectEqual(try Self.read(Self.fixture("scaled.gguf")), "scaled.npz")
    let wrong = thrown { try Self.read(Self.fixture("wrong-scale.gguf")) }
    #expect(wrong?.kind == .badData)
    #expect(wrong?.tensor == "a.scale")
    let listed = try Self.read(Self.fixture("wrong-scale.gguf"), acceptingNothing: true)
    #expect(listed.problem?.tensor == "a.scale")
  }

  @Test("the numbers next to a code's leave out none that another code of its group has")
  func grids() throws {
    let groups = ["Q2_K": 16, "Q3_K": 16, "Q6_K": 16]
    var kinds: Set<String> = []
    for tensor in try Self.read(Self.fixture("kinds.gguf")).network.tensors {
      guard let source = tensor.stored.source as? any GriddedSource,
        let (below, above) = try neighbours(of: source)
      else { continue }
      kinds.insert(tensor.stored.typeName)
      let values = try tensor.values()
      let size = groups[tensor.stored.typeName] ?? 32
      for (index, value) in values.enumerated() where value.isFinite {
        let (low, high) = (min(below[index], above[index]), max(below[index], above[index]))
        let group = values[index / size * size..<(index / size + 1) * size]
        // A scale of 0 has one number alone.
        guard !low.isNaN, Set(group).count > 1 else { continue }
        #expect(low < value && value < high, "\(tensor.stored.path) \(index)")
        #expect(
          !group.contains { $0 > low && $0 < high && abs($0 - value) > 0x1p-18 * abs(value) },
          "\(tensor.stored.path) \(index)")
      }
    }
    #expect(
      kinds == [
        "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL",
      ])
  }

  private func neighbours(
    of source: any GriddedSource
  ) throws -> (below: [Float], above: [Float])? {
    guard let below = source.neighbours(.below), let above = source.neighbours(.above) else {
      return nil
    }
    return (try below.values(0..<source.count), try above.values(0..<source.count))
  }

  @Test("version 2, and files that were split, have the same tensors")
  func versions() throws {
    let all = try Self.read(Self.fixture("kinds.gguf")).network.tensors
    for name in ["version2.gguf", "split-00001-of-00003.gguf", "split-00003-of-00003.gguf"] {
      let tensors = try Self.read(Self.fixture(name)).network.tensors
      #expect(tensors.count == 8, "\(name)")
      for tensor in tensors {
        let other = try #require(all.first { $0.stored.path == tensor.stored.path })
        #expect(try tensor.values() == other.values())
      }
    }
  }

  @Test("a missing part is named, and so is one of another network")
  func split() throws {
    let folder = try TemporaryFolder()
    let first = try folder.copy(
      Self.fixture("split-00001-of-00003.gguf"), to: "split-00001-of-00003.gguf")
    try folder.copy(Self.fixture("split-00002-of-00003.gguf"), to: "split-00002-of-00003.gguf")
    let missing = thrown { try Self.read(first) }
    #expect(missing?.kind == .cannotOpen)
    #expect(missing?.file?.hasSuffix("/split-00003-of-00003.gguf") == true)
    try folder.copy(Self.fixture("version2.gguf"), to: "split-00003-of-00003.gguf")
    #expect(
      thrown { try Self.read(first) }?.message
        == "is part 1 of 1 by its metadata, expected part 3 of 3; the parts are of two networks")
    let renamed = try folder.copy(Self.fixture("split-00001-of-00003.gguf"), to: "other.gguf")
    #expect(
      thrown { try Self.read(renamed) }?.message.hasPrefix("is part 1 of 3 by its metadata; call ")
        == true)
  }

  @Test("kinds without tables are listed with their sizes, and named where values are wanted")
  func listed() throws {
    let error = thrown { try Self.read(Self.fixture("listed.gguf")) }
    #expect(error?.message == "has 9 tensors of types that are listed and not read")
    #expect(error?.details.first == "'q8_k.weight' (Q8_K)")
    let source = try Self.read(Self.fixture("listed.gguf"), acceptingNothing: true)
    #expect(source.problem != nil)
    let tensors = source.network.tensors.filter { $0.stored.kind != nil }
    // Six blocks per type, with sizes from gguf-py's GGML_QUANT_SIZES.
    #expect(
      tensors.map { "\($0.stored.typeName) \($0.stored.kind?.byteCount ?? 0)" } == [
        "Q8_K 1752", "IQ2_XXS 396", "IQ2_XS 444", "IQ3_XXS 588", "IQ1_S 300",
        "IQ3_S 660", "IQ2_S 492", "IQ1_M 336", "Q1_0 108",
      ])
    #expect(tensors.map(\.storedShape.count).allSatisfy { $0 == 2 })
  }

  @Test("blocks that nobody defines for the other byte order are refused by name")
  func undefined() throws {
    let error = thrown { try Self.read(Self.fixture("big-endian-undefined.gguf")) }
    #expect(error?.details == ["'q2_k.weight' (Q2_K)"])
  }

  @Test("a file with a vocabulary alone has facts, and nothing to convert")
  func vocabulary() throws {
    #expect(thrown { try Self.read(Self.fixture("vocabulary.gguf")) }?.kind == .badData)
    let facts = try Self.read(Self.fixture("vocabulary.gguf"), acceptingNothing: true).facts
    #expect(
      facts.map { "\($0.key) \($0.type) \($0.text)" } == [
        "GGUF  version 3, little-endian", "general.architecture string llama",
        "test.uint8 uint8 255", "test.int8 int8 -128", "test.uint16 uint16 65535",
        "test.int16 int16 -32768", "test.uint32 uint32 4294967295",
        "test.int32 int32 -2147483648", "test.uint64 uint64 18446744073709551615",
        "test.int64 int64 -9223372036854775808", "test.float32 float32 1e-05",
        "test.float64 float64 0.1", "test.bool bool true", "test.string string Grüße\n",
        "test.numbers int32[100] [0, 1, 2, 3, 4, 5, …]",
        "test.texts string[9] [token 0, token 1, token 2, token 3, token 4, token 5, …]",
        "test.nested array[2] [[1, 2], [3]]",
      ])
    let other = try Self.read(Self.fixture("big-endian.gguf")).facts
    #expect(other.map(\.text).dropFirst() == facts.map(\.text).dropFirst())
    #expect(other[0].text == "version 3, big-endian")
  }

  // MARK: - Damaged files

  /// A header with one tensor, followed by its values.
  private static func file(
    version: UInt32 = 3, keys: [UInt8] = [], keyCount: UInt64 = 0, name: String = "a.weight",
    sizes: [UInt64] = [2], type: UInt32 = 0, offset: UInt64 = 0, count: UInt64 = 1,
    values: Int = 8
  ) -> [UInt8] {
    var bytes = Array("GGUF".utf8)
    func add<Value: FixedWidthInteger>(_ value: Value) {
      bytes += withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    add(version)
    add(count)
    add(keyCount)
    bytes += keys
    add(UInt64(name.utf8.count))
    bytes += Array(name.utf8)
    add(UInt32(sizes.count))
    for size in sizes { add(size) }
    add(type)
    add(offset)
    bytes += [UInt8](repeating: 0, count: (32 - bytes.count % 32) % 32 + values)
    return bytes
  }

  private static func problem(_ bytes: [UInt8]) throws -> String {
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, to: "a.gguf")
    return thrown { try read(path) }?.description.replacing(path + ": ", with: "") ?? ""
  }

  @Test("sizes and places that do not fit are errors")
  func damaged() throws {
    #expect(try Self.problem(Self.file()) == "")
    for (bytes, message) in [
      (
        Self.file(version: 1),
        "is a GGUF file of version 1, expected 2 or 3; convert the model again with a current llama.cpp"
      ),
      (
        Self.file(count: 1 << 60),
        "claims 1152921504606846976 things at byte 8, more than it can hold; it is damaged"
      ),
      (
        Self.file(keyCount: .max),
        "claims 18446744073709551615 things at byte 16, more than it can hold; it is damaged"
      ),
      (
        Self.file(sizes: [33], type: 2),
        "tensor 'a.weight': has rows of 33 values, expected a multiple of 32 (Q4_0)"
      ),
      (
        Self.file(sizes: [], type: 2),
        "tensor 'a.weight': has rows of 1 values, expected a multiple of 32 (Q4_0)"
      ),
      (Self.file(sizes: [1 << 63]), "tensor 'a.weight': has an axis of 9223372036854775808"),
      (
        Self.file(sizes: [1, 1, 1, 1, 1]), "tensor 'a.weight': has 5 axes, expected at most 4"
      ),
      (
        Self.file(type: 4),
        "tensor 'a.weight': is of the type 4 of GGML, which this netconv does not know, so that nothing tells its size"
      ),
      (
        Self.file(offset: 4),
        "tensor 'a.weight': begins at byte 4 of the values, expected a multiple of 32"
      ),
      (
        Self.file(offset: 32),
        "tensor 'a.weight': takes 8 bytes from byte 32 of the values, of which there are 8; the file is truncated or "
          + "damaged"
      ),
      (
        Self.file(sizes: [3]),
        "tensor 'a.weight': takes 12 bytes from byte 0 of the values, of which there are 8; the file is truncated or "
          + "damaged"
      ),
    ] {
      #expect(try Self.problem(bytes) == message)
    }
    #expect(try Self.problem(Self.file(sizes: [1 << 40, 1 << 40])).contains("1099511627776"))
  }

  @Test("a file that is cut off anywhere is an error")
  func truncated() throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: Self.fixture("version2.gguf"))))
    // The last bytes may be padding.
    for count in stride(from: 0, to: bytes.count - 32, by: 7) {
      #expect(try !Self.problem(Array(bytes.prefix(count))).isEmpty, "\(count) bytes")
    }
  }
}
