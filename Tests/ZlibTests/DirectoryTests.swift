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

@Suite struct DirectoryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func link(_ name: String, to target: String) throws -> String {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(name), withDestinationPath: target)
    return folder.file(name)
  }

  @Test func `tells what stands at a path, without following links`() throws {
    let file = try folder.write("x", to: "file")
    #expect(try Directory.kind(of: file) == .file)
    #expect(try Directory.kind(of: folder.path) == .directory)
    #expect(try Directory.kind(of: link("to-file", to: file)) == .symbolicLink)
    #expect(try Directory.kind(of: link("to-nothing", to: "/no/such/place")) == .symbolicLink)
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(try Directory.kind(of: folder.file("pipe")) == .other)
    #expect(try Directory.kind(of: folder.file("missing")) == nil)
    #expect(try Directory.kind(of: file + "/below") == nil)
    let long = folder.file(String(repeating: "n", count: 300))
    #expect(
      thrown { try Directory.kind(of: long) }?.description
        == "\(long): cannot be opened (File name too long)")
  }

  @Test func `a link to a folder is a folder to read from`() throws {
    #expect(Directory.isDirectory(folder.path))
    #expect(Directory.isDirectory(try link("to-folder", to: folder.path)))
    #expect(!Directory.isDirectory(try folder.write("x", to: "file")))
    #expect(!Directory.isDirectory(folder.file("missing")))
  }

  @Test func `names are sorted, without the folder itself and its parent`() throws {
    for name in ["b", "a", ".hidden", "Z", "größe"] { try folder.write("", to: name) }
    #expect(try Directory.names(in: folder.path) == [".hidden", "Z", "a", "b", "größe"])
    #expect(
      thrown { try Directory.names(in: folder.file("missing")) }?.description
        == "\(folder.file("missing")): no such file or folder; check the path")
    #expect(
      thrown { try Directory.names(in: folder.file("a")) }?.description
        == "\(folder.file("a")): cannot be opened (Not a directory)")
  }

  @Test func `lists files below a folder, and folders only where they are empty`() throws {
    try folder.write("", to: "b/c/deep")
    try folder.write("", to: "b/a")
    try folder.write("", to: "a")
    try Directory.create(folder.file("empty"))
    _ = try link("link", to: folder.file("b"))
    #expect(
      try Directory.files(below: folder.path) == ["a", "b/a", "b/c/deep", "empty/", "link"])
  }

  @Test func `creates a folder that is not there`() throws {
    let path = folder.file("new")
    try Directory.create(path)
    #expect(Directory.isDirectory(path))
    let error = thrown { try Directory.create(path) }
    #expect(error?.kind == .cannotCreate)
    #expect(
      error?.description
        == "\(path): cannot be created; something else is there, so choose another path")
    #expect(
      thrown { try Directory.create(folder.file("a/b")) }?.description
        == "\(folder.file("a/b")): cannot be created; its folder does not exist")
  }

  @Test func `removes what it is told, and nothing behind a link`() throws {
    try folder.write("keep", to: "kept/file")
    try folder.write("", to: "tree/a/b/c")
    _ = try link("tree/a/link", to: folder.file("kept"))
    Directory.remove(folder.file("tree"))
    Directory.remove(folder.file("missing"))
    #expect(try folder.files() == ["kept/file"])
    Directory.remove(try link("link", to: folder.file("kept")))
    #expect(try Directory.names(in: folder.path) == ["kept"])
    Directory.remove(folder.file("kept/file"))
    #expect(try Directory.names(in: folder.file("kept")) == [])
  }

  @Test(arguments: [
    ("a/b", "a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("a/", ".", "a"), ("a/b//", "a", "b"),
    ("a//b", "a", "b"), ("/", "/", ""), ("//a", "/", "a"), ("./x.netpack", ".", "x.netpack"),
    ("../x", "..", "x"), ("größe/ü", "größe", "ü"),
  ])
  func `a path has a parent and a last component`(path: String, parent: String, last: String) {
    #expect(Directory.parent(of: path) == parent)
    #expect(Directory.lastComponent(of: path) == last)
  }

  @Test(arguments: [("a", "a"), ("a//", "a"), ("/", "/"), ("///", "/"), ("", "")])
  func `slashes at the end go, but never the root`(path: String, expected: String) {
    #expect(Directory.withoutTrailingSlashes(path) == expected)
  }

  @Test func `error numbers are told in the system's words`() {
    #expect(systemMessage(ENOENT) == "No such file or directory")
  }
}
