import Files
import Foundation
import ModelIR
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct RandomAccessFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write("0123456789", to: "digits")
  }

  @Test func `reads at any place`() throws {
    let file = try RandomAccessFile(path: path)
    #expect(file.size == 10)
    #expect(file.path == path)
    for start in 0...10 {
      for end in start...10 {
        #expect(
          try file.bytes(at: start, count: end - start)
            == (start..<end).map { UInt8(0x30 + $0) })
      }
    }
    #expect(try file.contents(limit: 10).count == 10)
  }

  @Test func `a window gives what the file has, in any order`() throws {
    let text = (0..<400).map { "\($0)," }.joined()
    let file = try RandomAccessFile(path: try folder.write(text, to: "numbers"))
    var window = FileWindow(file)
    #expect(window.fileSize == file.size)
    for offset in [0, 3, 500, 508, 490, 2, 0, file.size - 7, file.size, file.size - 600] {
      for count in [0, 7, 512, 600] where count <= file.size - offset {
        #expect(
          try window.bytes(at: offset, count: count) == file.bytes(at: offset, count: count))
      }
    }
    for (offset, count) in [(-1, 1), (0, -1), (file.size, 1), (.max, 512), (file.size - 511, 512)] {
      #expect(throws: NetconvError.self) { try window.bytes(at: offset, count: count) }
    }
  }

  @Test func `a name in a folder is opened without following a link`() throws {
    try folder.write("inside", to: "a/b/file")
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: folder.file("a/b/link"), withDestinationPath: folder.file("a/b/file"))
    try manager.createSymbolicLink(
      atPath: folder.file("a/linked"), withDestinationPath: folder.file("a/b"))
    try manager.createSymbolicLink(
      atPath: folder.file("folder"), withDestinationPath: folder.file("a"))
    let file = try RandomAccessFile("b/file", in: folder.file("a"))
    #expect(file.path == folder.file("a/b/file"))
    #expect(try file.contents(limit: 6) == Array("inside".utf8))
    // The user may well name a folder by a link.
    #expect(try RandomAccessFile("b/file", in: folder.file("folder")).size == 6)
    for name in ["b/link", "linked/file", "b/none", "none/file"] {
      let error = thrown { try RandomAccessFile(name, in: folder.file("a")) }
      #expect(error?.kind == .cannotOpen)
      #expect(error?.file == folder.file("a/" + name))
    }
    #expect(
      thrown { try RandomAccessFile("b", in: folder.file("a")) }?.message
        == "is a folder, expected a file")
  }

  @Test func `a prefix may be longer than the file`() throws {
    let file = try RandomAccessFile(path: path)
    #expect(try file.prefix(3) == [0x30, 0x31, 0x32])
    #expect(try file.prefix(100).count == 10)
    let empty = try RandomAccessFile(path: folder.write([], to: "empty"))
    #expect(try empty.prefix(100) == [])
    #expect(try empty.contents(limit: 0) == [])
  }

  @Test(arguments: [
    (0, 11), (10, 1), (11, 0), (5, .max), (.max, 5), (.max, .max), (-1, 5), (3, -1),
  ])
  func `bytes that are not there are an error`(offset: Int, count: Int) throws {
    let file = try RandomAccessFile(path: path)
    let error = thrown { try file.bytes(at: offset, count: count) }
    #expect(error?.kind == .badData)
    #expect(error?.file == path)
    #expect(error?.message.hasPrefix("the file ends at byte 10, expected at least ") == true)
  }

  @Test func `the end of the file is told with what was wanted`() throws {
    let file = try RandomAccessFile(path: path)
    #expect(
      thrown { try file.bytes(at: 4, count: 8) }?.description
        == "\(path): the file ends at byte 10, expected at least 12; it is truncated")
    #expect(
      thrown { try file.bytes(at: 4, count: .max) }?.description
        == "\(path): the file ends at byte 10, expected at least 9223372036854775807; it is "
        + "truncated")
    var buffer = [UInt8](repeating: 0, count: 8)
    let error = buffer.withUnsafeMutableBytes { bytes in
      thrown { try file.read(at: 4, into: bytes) }
    }
    #expect(
      error?.description
        == "\(path): the file ends at byte 10, expected at least 12; it is truncated")
  }

  @Test func `a file that shrinks while it is open is truncated`() throws {
    let file = try RandomAccessFile(path: path)
    #expect(truncate(path, 6) == 0)
    #expect(
      thrown { try file.contents(limit: 100) }?.description
        == "\(path): the file ends at byte 6, expected at least 10; it is truncated")
  }

  @Test func `a file over the limit is not read`() throws {
    let file = try RandomAccessFile(path: path)
    let error = thrown { try file.contents(limit: 9) }
    #expect(error?.kind == .badData)
    #expect(error?.description == "\(path): holds 10 bytes, expected at most 9")
  }

  @Test(arguments: [1, 3, 4, 10, 100])
  func `chunks cover a range once, in order`(size: Int) throws {
    let file = try RandomAccessFile(path: path)
    var chunks: [[UInt8]] = []
    try file.forEachChunk(in: 2..<9, of: size) { chunks.append(Array($0)) }
    #expect(Array(chunks.joined()) == Array("2345678".utf8))
    #expect(chunks.dropLast().allSatisfy { $0.count == size })
    try file.forEachChunk(in: 4..<4) { _ in Issue.record("there is no chunk") }
  }

  @Test func `chunks stop where the file ends, and where the body throws`() throws {
    let file = try RandomAccessFile(path: path)
    var count = 0
    #expect(
      thrown { try file.forEachChunk(in: 0..<12, of: 5) { count += $0.count } }?.kind == .badData)
    #expect(count == 10)
    let stop = NetconvError(.interrupted, "stop")
    #expect(
      thrown {
        try file.forEachChunk(in: 0..<10, of: 5) { _ throws(NetconvError) in throw stop }
      } == stop)
  }

  @Test func `opens only regular files`() throws {
    let missing = folder.file("missing")
    #expect(
      thrown { try RandomAccessFile(path: missing) }?.description
        == "\(missing): no such file or folder; check the path")
    #expect(
      thrown { try RandomAccessFile(path: folder.path) }?.description
        == "\(folder.path): is a folder, expected a file")
    #expect(
      thrown { try RandomAccessFile(path: path + "/x") }?.description
        == "\(path)/x: cannot be opened (Not a directory)")
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(
      thrown { try RandomAccessFile(path: pipe) }?.description == "\(pipe): is not a regular file")
    #expect(thrown { try RandomAccessFile(path: pipe) }?.kind == .cannotOpen)
    #expect(
      thrown { try RandomAccessFile(path: "/dev/null") }?.description
        == "/dev/null: is not a regular file")
    #expect(thrown { try RandomAccessFile(path: "") }?.kind == .cannotOpen)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `a file that may not be read is an error`() throws {
    #expect(chmod(path, 0) == 0)
    #expect(
      thrown { try RandomAccessFile(path: path) }?.description
        == "\(path): permission denied; it must be readable")
  }
}
