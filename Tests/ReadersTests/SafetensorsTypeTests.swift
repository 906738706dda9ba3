import Datasets
import ModelIR
import Readers
import TestSupport
import Testing

/// All dtypes of safetensors; the expected values of FP8 codes are those of ml_dtypes.
@Suite("Types of safetensors")
struct SafetensorsTypeTests {
  private static func read(
    _ name: String, acceptingNothing: Bool = false
  ) throws -> ReadSource {
    var options = ReaderOptions(acceptsWeights: true)
    options.acceptsNothing = acceptingNothing
    return try ReaderRegistry.read(Fixtures.path("safetensors/" + name), options)
  }

  @Test("each code of 8 bits, integers of every width, truth values, scalars and empty tensors")
  func numbers() throws {
    let source = try Self.read("numbers.safetensors")
    let expected = try NumpyArchive.read(Fixtures.path("safetensors/numbers.npz"))
    let tensors = source.network.tensors
    #expect(tensors.count == expected.count)
    for (name, array) in expected {
      let tensor = try #require(tensors.first { $0.stored.path == name })
      #expect(tensor.storedShape == array.shape)
      let values = try tensor.values()
      #expect(values.map(\.isNaN) == array.values.map(\.isNaN), "\(name)")
      #expect(
        zip(values, array.values).allSatisfy { $0.isNaN || $0.bitPattern == $1.bitPattern },
        "\(name)")
    }
  }

  @Test("a kind is named as the format does, with its bytes")
  func kinds() throws {
    let tensors = try Self.read("numbers.safetensors").network.tensors
    let kinds = tensors.compactMap(\.stored.kind).map(\.name)
    #expect(
      Set(kinds) == ["F8_E4M3", "F8_E5M2", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "F8_E8M0"])
    #expect(tensors.compactMap(\.stored.kind).allSatisfy { $0.byteCount == 256 })
  }

  @Test("what is no number by itself is listed, and refused by its name where values are wanted")
  func listed() throws {
    let path = Fixtures.path("safetensors/listed.safetensors")
    let problem =
      "\(path): has 4 tensors of types that are listed and not read\n  'f4.weight' (F4)\n"
      + "  'f6.weight' (F6_E2M3)\n  'f6b.weight' (F6_E3M2)\n  'c64.weight' (C64)"
    #expect(thrown { try Self.read("listed.safetensors") }?.description == problem)
    let source = try Self.read("listed.safetensors", acceptingNothing: true)
    #expect(
      source.network.tensors.map { "\($0.stored.typeName) \($0.storedShape)" } == [
        "F4 [3, 6]", "F6_E2M3 [2, 4]", "F6_E3M2 [4]", "C64 [2]", "float32 [2]",
      ])
    #expect(source.network.tensors.map { $0.stored.kind?.byteCount } == [9, 6, 3, 16, nil])
    #expect(
      thrown { try source.network.tensors[0].values() }?.message
        == "is of the type F4, which netconv lists and does not read")
  }

  @Test("a hole is refused where values are wanted, and told where they are not")
  func hole() throws {
    let problem = "no tensor covers the bytes 8 to 16 of the values; safetensors has no holes"
    #expect(thrown { try Self.read("hole.safetensors") }?.message == problem)
    let source = try Self.read("hole.safetensors", acceptingNothing: true)
    #expect(source.problem?.message == problem)
    #expect(source.network.tensors.map(\.storedShape) == [[2], [1]])
    #expect(try source.network.tensors[1].values() == [3])
  }

  @Test("codes beside a scale are not taken for numbers")
  func scaled() throws {
    for scale in ["scale_weight", "weight.scale", "output_scale"] {
      let header =
        #"{"a.weight":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]},"a."#
        + #"\#(scale)":{"dtype":"I8","shape":[],"data_offsets":[2,3]}}"#
      let folder = try TemporaryFolder()
      let path = try folder.write(
        withUnsafeBytes(of: UInt64(header.utf8.count).littleEndian) { Array($0) }
          + Array(header.utf8) + [1, 2, 3], to: "a.safetensors")
      let error = thrown { try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true)) }
      #expect(error?.kind == .badData, "\(scale)")
      #expect(error?.details == ["'a.weight'"], "\(scale)")
    }
  }

  @Test("packed values end at a whole byte")
  func partOfByte() throws {
    let header = #"{"a":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}}"#
    let folder = try TemporaryFolder()
    let path = try folder.write(
      withUnsafeBytes(of: UInt64(header.utf8.count).littleEndian) { Array($0) }
        + Array(header.utf8) + [1, 2], to: "a.safetensors")
    #expect(
      thrown { try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true)) }?.message
        == "takes 12 bits ([3] of F4), which is no whole number of bytes")
  }
}
