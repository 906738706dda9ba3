import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

@Suite("Archives of Keras 3")
struct KerasArchiveTests {
  @Test("weights are read where they lie in the archive")
  func place() throws {
    let source = try ReaderRegistry.read(Fixtures.path("keras/archive-nested.keras"))
    #expect(source.format == "keras-archive")
    #expect(source.framework?.hasPrefix("keras 3.") == true)
    #expect(source.files.map(\.path) == [Fixtures.path("keras/archive-nested.keras")])
    #expect(try source.model.layers.map(\.name) == ["body/conv", "body/flatten", "fc"])
    #expect(
      try source.model.tensors.map(\.stored.path) == [
        "/layers/sequential/layers/conv2d/vars/0", "/layers/sequential/layers/conv2d/vars/1",
        "/layers/dense/vars/0", "/layers/dense/vars/1",
      ])
  }

  @Test("an archive that is cut off anywhere is an error", arguments: ["nested", "deflated"])
  func truncation(name: String) throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8](
      try Data(contentsOf: URL(filePath: Fixtures.path("keras/archive-\(name).keras"))))
    for length in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 97)) {
      let path = try folder.write(bytes[..<length], to: "cut.keras")
      #expect(throws: NetconvError.self, "\(length) bytes") { try ReaderRegistry.read(path) }
    }
  }

  @Test("a deflated entry whose bytes were changed is an error")
  func damage() throws {
    let folder = try TemporaryFolder()
    var bytes = [UInt8](
      try Data(contentsOf: URL(filePath: Fixtures.path("keras/archive-deflated.keras"))))
    bytes[bytes.count / 2] ^= 0x10
    let path = try folder.write(bytes, to: "changed.keras")
    let error = try #require(throws: NetconvError.self) { try ReaderRegistry.read(path) }
    #expect(error.kind == .badData)
    #expect(error.file == path)
  }

  @Test("weights without an architecture say what to pass")
  func weightsAlone() throws {
    let path = Fixtures.path("keras/archive-weights.weights.h5")
    let error = try #require(throws: NetconvError.self) { try ReaderRegistry.read(path) }
    #expect(
      error.description == path
        + ": holds weights but no architecture (there is no model_config); pass the output of "
        + "model.to_json() with 'architecture', or save the whole model with model.save(); "
        + "a conversion with 'weightsOnly' writes the tensors without a graph")
  }
}
