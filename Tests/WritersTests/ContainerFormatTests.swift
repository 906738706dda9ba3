import Documents
import Files
import Foundation
import ModelIR
import TestSupport
import Testing
import Writers
import Zlib

@Suite struct ContainerFormatTests {
  private let folder: TemporaryFolder
  private var output: String { folder.file("out") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func header(_ bytes: [UInt8]) throws -> (json: [String: Any], start: Int) {
    let length = bytes[..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    let json = try JSONSerialization.jsonObject(with: Data(bytes[8..<8 + length]))
    return (try #require(json as? [String: Any]), 8 + length)
  }

  @Test func `safetensors has a header, spaces up to a multiple of 64, and the values`() throws {
    let manifest = try write(smallModel(), to: output, formats: [.safetensors])
    #expect(try folder.files() == ["out/manifest.json", "out/model.safetensors"])
    let bytes = try folder.bytes("out/model.safetensors")
    let (json, start) = try header(bytes)
    #expect(start % 64 == 0)
    #expect(bytes[8] == UInt8(ascii: "{"))
    #expect(Set(json.keys) == ["__metadata__", "conv_W", "conv_b"])
    let kernel = try #require(json["conv_W"] as? [String: Any])
    #expect(kernel["dtype"] as? String == "F32")
    #expect(kernel["shape"] as? [Int] == [5, 2, 3, 4])
    #expect(kernel["data_offsets"] as? [Int] == [0, 480])
    let values = littleEndian(arrangedKernel) + littleEndian([-2, -1, 0, 1, 2])
    #expect(Array(bytes[start...]) == values)
    #expect(
      manifest.tensors.map(\.places) == [
        [
          "safetensors": TensorRecord.Place(
            file: "model.safetensors", tensor: "conv_W", offset: start, length: 480)
        ],
        [
          "safetensors": TensorRecord.Place(
            file: "model.safetensors", tensor: "conv_b", offset: start + 480, length: 20)
        ],
      ])
  }

  @Test func `the widest type goes first, then names in order, so that all lie aligned`() throws {
    let types: [String: ElementType] = [
      "b": .float16, "a": .float16, "d": .float32, "c": .float32, "e": .uint8, "B": .float16,
    ]
    let header = try SafetensorsHeader(
      placing: types.sorted { $0.key < $1.key }.map {
        ($0.key, SafetensorsType($0.value), [3])
      }, metadata: [:])
    #expect(header.tensors.map(\.name) == ["c", "d", "B", "a", "b", "e"])
    #expect(header.tensors.map(\.range.lowerBound) == [0, 12, 24, 30, 36, 42])
    #expect(try header.bytes().count % 64 == 0)
  }

  @Test func `tensors without values come by name, in every run`() throws {
    let names = ["f", "b", "e", "a", "d", "c"]
    let members = names.map {
      #""\#($0)": {"dtype": "F32", "shape": [0, 2], "data_offsets": [0, 0]}"#
    }
    let header = try SafetensorsHeader(
      Array("{\(members.joined(separator: ", "))}".utf8), dataSize: 0)
    #expect(header.tensors.map(\.name) == names.sorted())
  }

  @Test func `the texts of safetensors are the target's, and the layouts of the tensors`() throws {
    let plan = try OutputPlan(
      .model(try smallModel()), formats: [.safetensors], metadata: ["format": "pt"],
      encodings: [TensorEncoding(.float32), TensorEncoding(.float32)])
    #expect(plan.entries[0].places[.safetensors]?.tensor == "conv_W")
    try write(smallModel(), to: output, formats: [.safetensors])
    let (json, _) = try header(try folder.bytes("out/model.safetensors"))
    let texts = try #require(json["__metadata__"] as? [String: String])
    let layouts = try JSONDocument.decode(
      WeightsDocument.self, from: Array(try #require(texts["netconv"]).utf8))
    #expect(layouts.layers.map(\.name) == ["conv"])
    #expect(layouts.layers[0].parameters.map(\.layout) == ["OHWI", "O"])
    #expect(layouts.layers[0].parameters.map(\.tensor) == ["conv_W", "conv_b"])
  }

  @Test func `npz is a ZIP archive of stored arrays, which unzip can test`() throws {
    let manifest = try write(smallModel(), to: output, formats: [.npz])
    let archive = try ZipArchive(RandomAccessFile(path: output + "/model.npz"))
    #expect(archive.entries.map(\.name) == ["conv_W.npy", "conv_b.npy"])
    for (entry, record) in zip(archive.entries, manifest.tensors) {
      #expect(entry.method == 0 && entry.dataOffset % 64 == 0)
      // Reading compares the checksum.
      let bytes = try archive.contents(of: entry, limit: 1 << 20)
      let place = try #require(record.places["npz"])
      #expect(place.file == "model.npz" && place.tensor == record.name)
      #expect(place.offset == entry.dataOffset + bytes.count - place.length)
      #expect(place.offset % 64 == 0)
    }
    let kernel = try archive.contents(of: archive.entries[0], limit: 1 << 20)
    let text = String(decoding: kernel[10..<128], as: UTF8.self)
    #expect(kernel[..<10] == [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0])
    #expect(
      text.hasPrefix("{'descr': '<f4', 'fortran_order': False, 'shape': (5, 2, 3, 4), }"))
    #expect(Array(kernel[128...]) == littleEndian(arrangedKernel))
  }

  @Test func `every format holds the same bytes`() throws {
    let manifest = try write(
      smallModel(), to: output, formats: [.bin, .archive, .safetensors, .npz])
    #expect(manifest.formats == ["bin", "archive", "safetensors", "npz"])
    for record in manifest.tensors {
      #expect(record.places.count == 4)
      let expected = try folder.bytes("out/weights/\(record.name).bin")
      for place in record.places.values {
        let bytes = try folder.bytes("out/" + place.file)
        #expect(Array(bytes[place.offset..<place.offset + place.length]) == expected)
      }
    }
  }

  @Test func `NumPy has no bfloat16`() {
    let error = thrown {
      try OutputPlan(
        .model(try smallModel()), formats: [.npz], elementType: { _ in .bfloat16 })
    }
    #expect(error?.kind == .usage)
    #expect(
      error?.description
        == "NumPy has no type for bfloat16, so npz cannot hold it; write another format")
  }

  @Test func `an earlier output in these formats is replaced, but not a file beside it`() throws {
    try write(smallModel(), to: output, formats: [.safetensors, .npz])
    try write(smallModel(), to: output, formats: [.bin], force: true)
    try write(smallModel(), to: output, formats: [.safetensors], force: true)
    try folder.write("mine", to: "out/other.safetensors")
    let error = thrown { try write(smallModel(), to: output, force: true) }
    #expect(error?.message.hasPrefix("holds 'other.safetensors'") == true)
  }
}
