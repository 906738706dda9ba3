import Foundation
import TestSupport
import Testing

@Suite("Destinations")
struct DestinationTests {
  private static let link = #"is a symbolic link, expected a path of its own; choose another path"#

  private func line() throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    return line
  }

  @Test("an empty folder is accepted, and a slash at the end")
  func emptyFolder() throws {
    let line = try line()
    try FileManager.default.createDirectory(
      atPath: line.folder.file("out"), withIntermediateDirectories: false)
    expectSuccess(try line.netconv("convert", "blobs", "out/", "--quiet"))
    #expect(try line.names() == ["blobs", "out"])
  }

  @Test(
    "what stands in the way exits with 73 and stays as it is",
    arguments: [
      (
        "mkdir out; touch out/a", "out", "out",
        "is a folder that is not empty; choose another path, or pass --force to replace an earlier "
          + "output"
      ),
      ("touch out", "out", "out", "is a file, expected a folder; choose another path"),
      ("mkdir real; ln -s real out", "out", "out", Self.link),
      ("ln -s nowhere out", "out", "out", Self.link),
      (
        "mkfifo out", "out", "out",
        "is neither a file nor a folder, expected a free path; choose another path"
      ),
      (":", "no/such/out", "no/such", "the folder does not exist; create it first"),
      ("touch file", "file/out", "file", "the folder does not exist; create it first"),
      (
        "touch out.netpack", "out.netpack", "out.netpack",
        "is a file; choose another path, or pass --force to replace an earlier output"
      ),
      (
        "mkdir out.netpack", "out.netpack", "out.netpack",
        "is a folder, expected an archive; choose another path"
      ),
      ("ln -s blobs/model.json out.netpack", "out.netpack", "out.netpack", Self.link),
    ])
  func refused(preparation: String, destination: String, place: String, message: String) throws {
    let line = try line()
    _ = try line.shell(preparation)
    let before = try line.folder.files()
    expectError(try line.netconv("convert", "blobs", destination), 73, "\(place): \(message)")
    #expect(try line.folder.files() == before)
  }

  @Test("a folder named by a dot cannot be exchanged, and is refused in advance")
  func dots() throws {
    let line = try line()
    for name in [".", "blobs/.", "blobs/.."] {
      let result = try line.shell(#"mkdir -p empty; cd empty; "$@""#, "convert", "../blobs", name)
      expectError(
        result, 73, "\(name): cannot be replaced; write the folder's name, as in ../NAME")
    }
  }

  @Test(
    "a folder that may not be written to exits with 73",
    .enabled(if: unprivileged != nil, "root can write everywhere, and there is no setpriv"))
  func notWritable() throws {
    let line = try line()
    _ = try line.shell("mkdir locked; chmod 555 locked; chmod -R a+rX blobs .")
    let wrapper = try #require(unprivileged)
    expectError(
      try line.netconv("convert", "blobs", "locked/out", wrapper: wrapper), 73,
      "locked/out: cannot be created (Permission denied); choose another path")
    expectError(
      try line.netconv("convert", "blobs", "--into", "locked/all", wrapper: wrapper), 73,
      "locked/all: cannot be created (Permission denied); choose another path")
    #expect(try line.names(in: "locked").isEmpty)
  }

  @Test("--force replaces an earlier output, folder or archive, and leaves nothing else behind")
  func force() throws {
    let line = try line()
    for destination in ["out", "out.netpack"] {
      expectSuccess(try line.netconv("convert", "blobs", destination, "--quiet"))
      expectSuccess(
        try line.netconv(
          "convert", "blobs", destination, "--quiet", "--force", "--dtype", "float16"))
      let report = try line.netconv("inspect", destination, "--json")
      #expect(report.status == 0)
      #expect(report.output.contains(#""dtype": "float16""#))
    }
    expectSuccess(
      try line.netconv("convert", "blobs", "out", "--quiet", "--force", "--formats", "archive"))
    #expect(try line.names() == ["blobs", "out", "out.netpack"])
    #expect(try line.names(in: "out") == ["manifest.json", "model.netpack"])
  }

  @Test(
    "--force does not replace a folder with a file that netconv did not write",
    arguments: ["notes.txt", "weights/notes.txt", "a/b/c", "zzz", "weights/empty/"])
  func foreignFiles(name: String) throws {
    let line = try line()
    expectSuccess(try line.netconv("convert", "blobs", "out", "--quiet"))
    if name.hasSuffix("/") {
      _ = try line.shell("mkdir out/\(name)")
    } else {
      try line.folder.write("mine", to: "out/" + name)
    }
    let before = try line.contents(of: "out")
    expectError(
      try line.netconv("convert", "blobs", "out", "--force"), 73,
      "out: holds '\(name)', which netconv did not write; --force replaces only what netconv wrote"
        + ", so move it away or choose another path")
    #expect(try line.contents(of: "out") == before)
  }

  @Test("--force names the first foreign file, also where there is no manifest at all")
  func firstForeignFile() throws {
    let line = try line()
    for name in ["out/b", "out/a/z", "out/c"] { try line.folder.write("mine", to: name) }
    expectError(
      try line.netconv("convert", "blobs", "out", "--force"), 73,
      "out: holds 'a/z', which netconv did not write; --force replaces only what netconv wrote"
        + ", so move it away or choose another path")
    try line.folder.write("mine", to: "other.netpack")
    expectError(
      try line.netconv("convert", "blobs", "other.netpack", "--force"), 73,
      "other.netpack: holds 'other.netpack', which netconv did not write; --force replaces only "
        + "what netconv wrote"
        + ", so move it away or choose another path")
    #expect(try line.folder.bytes("other.netpack") == Array("mine".utf8))
  }

  @Test("an output can be converted onto itself")
  func ontoItself() throws {
    let line = try line()
    expectSuccess(try line.netconv("convert", "blobs", "out", "--quiet"))
    let before = try line.contents(of: "out")
    expectSuccess(try line.netconv("convert", "out", "out", "--quiet", "--force"))
    let after = try line.contents(of: "out")
    for (name, bytes) in before where name.hasPrefix("weights/") {
      #expect(after[name] == bytes, "\(name)")
    }
    #expect(after.keys.sorted() == before.keys.sorted())
  }
}
