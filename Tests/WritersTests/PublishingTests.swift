import Documents
import Files
import Foundation
import ModelIR
import TestSupport
import Testing
import Writers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileSystemCalls {
  /// A file system that can neither exchange nor rename without replacing, as some of FUSE.
  fileprivate static var plain: FileSystemCalls {
    var calls = system
    calls.exchange = { _, _ in EINVAL }
    calls.renameNew = { _, _ in ENOSYS }
    return calls
  }

  /// A file system whose locks return `code`.
  fileprivate static func locking(_ code: Int32) -> FileSystemCalls {
    var calls = system
    calls.lock = { _ in code }
    return calls
  }
}

/// Files that another process puts into a destination during a conversion.
@Suite struct PublishingTests {
  private static let kinds: [(name: String, calls: FileSystemCalls)] = [
    ("exchange", .system), ("two steps", .plain),
  ]

  private let folder: TemporaryFolder
  private var output: String { folder.file("out") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes to `name`, and does `change` when the first tensor is written.
  private func writing(
    _ name: String, force: Bool, _ calls: FileSystemCalls,
    while change: @escaping () throws -> Void
  ) -> NetconvError? {
    var isDone = false
    return thrown {
      try write(
        smallModel(name: "other"), to: folder.file(name), force: force, calls: calls,
        progress: { _ in
          guard !isDone else { return }
          isDone = true
          #expect(throws: Never.self) { try change() }
        })
    }
  }

  @Test(arguments: kinds.indices)
  func `a file that comes into an earlier output is kept, and named`(kind: Int) throws {
    for name in ["notes.txt", "weights/mine.bin", "deep/er/file"] {
      Directory.remove(output)
      try write(smallModel(), to: output)
      let before = try folder.bytes("out/manifest.json")
      let error = writing("out", force: true, Self.kinds[kind].calls) {
        try folder.write("mine", to: "out/" + name)
      }
      #expect(error?.kind == .cannotCreate)
      #expect(
        error?.description
          == "\(output): holds '\(name)', which netconv did not write; 'force' replaces only what "
          + "netconv wrote"
          + ", so move it away or choose another path")
      #expect(try folder.bytes("out/" + name) == Array("mine".utf8))
      #expect(try folder.bytes("out/manifest.json") == before)
      #expect(try Directory.names(in: folder.path) == ["out"])
    }
  }

  @Test(arguments: kinds.indices)
  func `a file that comes into an empty folder is kept, and named`(kind: Int) throws {
    for force in [false, true] {
      Directory.remove(output)
      try Directory.create(output)
      let error = writing("out", force: force, Self.kinds[kind].calls) {
        try folder.write("mine", to: "out/notes.txt")
      }
      #expect(
        error?.description
          == (force
            ? "\(output): holds 'notes.txt', which netconv did not write; 'force' replaces only what "
              + "netconv wrote"
              + ", so move it away or choose another path"
            : "\(output): holds 'notes.txt', which was not there when the conversion began; nothing "
              + "was replaced, so choose another path"))
      #expect(try folder.files() == ["out/notes.txt"])
      #expect(try Directory.names(in: folder.path) == ["out"])
    }
  }

  @Test(arguments: kinds.indices)
  func `without force an output that another run put there is kept`(kind: Int) throws {
    try Directory.create(output)
    let error = writing("out", force: false, Self.kinds[kind].calls) {
      try write(smallModel(name: "fast"), to: output)
    }
    #expect(error?.kind == .cannotCreate)
    #expect(error?.message.contains("which was not there when the conversion began") == true)
    #expect(try Directory.names(in: output + "/weights") == ["fast_W.bin", "fast_b.bin"])
  }

  @Test(arguments: kinds.indices)
  func `an archive that somebody replaced is kept`(kind: Int) throws {
    try write(smallModel(), to: folder.file("x.netpack"))
    let error = writing("x.netpack", force: true, Self.kinds[kind].calls) {
      try folder.write("mine", to: "x.netpack")
    }
    #expect(
      error?.description
        == "\(folder.file("x.netpack")): holds 'x.netpack', which netconv did not write; 'force' "
        + "replaces only what netconv wrote"
        + ", so move it away or choose another path")
    #expect(try folder.bytes("x.netpack") == Array("mine".utf8))
    #expect(try Directory.names(in: folder.path) == ["x.netpack"])
  }

  @Test(arguments: kinds.indices)
  func `a link that took the place of an output is kept`(kind: Int) throws {
    try write(smallModel(), to: output)
    try folder.write("mine", to: "elsewhere/file")
    let error = writing("out", force: true, Self.kinds[kind].calls) {
      Directory.remove(output)
      try FileManager.default.createSymbolicLink(
        atPath: output, withDestinationPath: folder.file("elsewhere"))
    }
    #expect(
      error?.description
        == "\(output): is a symbolic link, expected a path of its own; choose another path")
    #expect(try Directory.kind(of: output) == .symbolicLink)
    #expect(try folder.bytes("elsewhere/file") == Array("mine".utf8))
  }

  @Test(arguments: kinds.indices)
  func `what comes to a free path is kept`(kind: Int) throws {
    for name in ["out", "x.netpack"] {
      let inside = name == "out" ? "out/notes.txt" : name
      let error = writing(name, force: true, Self.kinds[kind].calls) {
        try folder.write("mine", to: inside)
      }
      #expect(
        error?.description
          == "\(folder.file(name)): cannot be moved to its destination (File exists)")
      #expect(try folder.bytes(inside) == Array("mine".utf8))
    }
    #expect(try folder.files() == ["out/notes.txt", "x.netpack"])
  }

  @Test func `without an exchange, outputs are published all the same`() throws {
    for name in ["out", "x.netpack"] {
      try write(smallModel(), to: folder.file(name), calls: .plain)
      try write(smallModel(name: "other"), to: folder.file(name), force: true, calls: .plain)
    }
    #expect(
      try folder.files() == [
        "out/manifest.json", "out/model.netpack", "out/weights/other_W.bin",
        "out/weights/other_b.bin", "x.netpack",
      ])
    #expect(try Directory.names(in: folder.path) == ["out", "x.netpack"])
  }

  @Test func `what cannot be put back is not removed, and the error says where it is`() throws {
    try write(smallModel(), to: output)
    var calls = FileSystemCalls.system
    let exchanges = Counter()
    calls.exchange = { a, b in
      exchanges.next() == 1 ? FileSystemCalls.system.exchange(a, b) : EIO
    }
    let error = writing("out", force: true, calls) {
      try folder.write("mine", to: "out/notes.txt")
    }
    let names = try Directory.names(in: folder.path)
    #expect(names.count == 2 && names[0] == "out" && names[1].hasPrefix("out-"))
    #expect(error?.kind == .cannotCreate)
    #expect(error?.details == ["the earlier output is now at \(quoted(folder.file(names[1])))"])
    #expect(try folder.bytes(names[1] + "/notes.txt") == Array("mine".utf8))
    #expect(try Directory.names(in: output + "/weights") == ["other_W.bin", "other_b.bin"])
  }

  @Test func `a file that comes into the new output before it is taken back is not removed`() throws
  {
    try write(smallModel(), to: output)
    var calls = FileSystemCalls.system
    let exchanges = Counter()
    let late = folder.file("out/late.txt")
    calls.exchange = { a, b in
      let code = FileSystemCalls.system.exchange(a, b)
      if exchanges.next() == 1 {
        _ = FileManager.default.createFile(atPath: late, contents: Data("late".utf8))
      }
      return code
    }
    let error = writing("out", force: true, calls) {
      try folder.write("mine", to: "out/notes.txt")
    }
    let names = try Directory.names(in: folder.path)
    #expect(names.count == 2 && names[0] == "out" && names[1].hasPrefix("out-"))
    #expect(error?.details == ["the earlier output is now at \(quoted(folder.file(names[1])))"])
    #expect(try folder.bytes("out/notes.txt") == Array("mine".utf8))
    #expect(try folder.bytes(names[1] + "/late.txt") == Array("late".utf8))
  }

  @Test(arguments: [ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL])
  func `a file system without locks is written to, and nothing is taken for abandoned`(
    code: Int32
  ) throws {
    try folder.write("busy", to: ".netconv-staging-abc/new/a.bin")
    try write(smallModel(), to: output, calls: .locking(code))
    #expect(try Directory.names(in: folder.path) == [".netconv-staging-abc", "out"])
  }

  @Test func `a lock that fails says why, and leaves nothing`() throws {
    let error = thrown { try write(smallModel(), to: output, calls: .locking(EIO)) }
    #expect(
      error?.description
        == "\(folder.path): no temporary folder can be locked here (Input/output error); choose "
        + "another path")
    #expect(error?.kind == .cannotCreate)
    #expect(try Directory.names(in: folder.path) == [])
  }

  @Test func `a folder that others keep taking is given up`() throws {
    let error = thrown { try write(smallModel(), to: output, calls: .locking(EWOULDBLOCK)) }
    #expect(
      error?.description
        == "\(folder.path): another program removes the temporary folder")
  }
}
