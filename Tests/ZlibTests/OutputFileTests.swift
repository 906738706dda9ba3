import Files
import Foundation
import ModelIR
import TestSupport
import Testing

@Suite struct OutputFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("out") }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `writes at any place, holes are zeros`() throws {
    let file = try OutputFile(creating: path)
    try file.write([7, 8], at: 6)
    try file.write([1, 2, 3], at: 1)
    try file.write([] as [UInt8], at: 100)
    #expect(try folder.bytes("out") == [0, 1, 2, 3, 0, 0, 7, 8])
    try file.write([9], at: 2)
    #expect(try folder.bytes("out") == [0, 1, 9, 3, 0, 0, 7, 8])
  }

  @Test func `reads back what it wrote`() throws {
    let file = try OutputFile(creating: path)
    try file.write([1, 2, 3, 4], at: 0)
    var buffer: [UInt8] = [0, 0]
    try buffer.withUnsafeMutableBytes { try file.read(at: 1, into: $0) }
    #expect(buffer == [2, 3])
    let error = buffer.withUnsafeMutableBytes { bytes in
      thrown { try file.read(at: 3, into: bytes) }
    }
    #expect(error?.kind == .inputOutput)
    #expect(error?.description == "\(path): cannot be read (Input/output error)")
  }

  @Test func `writes far beyond 4 GiB`() throws {
    let file = try OutputFile(creating: path)
    try file.write([42], at: 5 << 30)
    let reader = try RandomAccessFile(path: path)
    #expect(reader.size == 5 << 30 + 1)
    #expect(try reader.bytes(at: 5 << 30, count: 1) == [42])
  }

  @Test func `creates only new files`() throws {
    try folder.write("mine", to: "out")
    let error = thrown { try OutputFile(creating: path) }
    #expect(error?.kind == .cannotCreate)
    #expect(
      error?.description
        == "\(path): cannot be created; something else is there, so choose another path")
    #expect(try folder.bytes("out") == Array("mine".utf8))
    #expect(
      thrown { try OutputFile(creating: folder.file("no/out")) }?.description
        == "\(folder.file("no/out")): cannot be created; its folder does not exist")
  }

  @Test func `does not write through a symbolic link`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.file("elsewhere"))
    #expect(thrown { try OutputFile(creating: path) }?.kind == .cannotCreate)
    #expect(!FileManager.default.fileExists(atPath: folder.file("elsewhere")))
  }

  @Test func `a write that fails names the file`() throws {
    let file = try OutputFile(creating: path)
    let error = thrown { try file.write([1], at: -1) }
    #expect(error?.kind == .inputOutput)
    #expect(error?.description == "\(path): cannot be written (Invalid argument)")
  }
}
