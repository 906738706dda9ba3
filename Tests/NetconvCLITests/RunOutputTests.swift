import TestSupport
import Testing

@Suite("run --output")
struct RunOutputTests {
  @Test("an output replaces a file, and nothing else")
  func output() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try line.folder.write(
      npy("<f4", "(1, 6, 5, 2)", [UInt8](repeating: 0, count: 240)), to: "in.npy")
    try line.folder.write("old", to: "out.npz")
    expectSuccess(try line.netconv("run", "blobs", "--input", "in.npy", "--output", "out.npz"))
    #expect(try arrays(line.folder.file("out.npz")).keys.sorted() == ["fc"])
    let cases = [
      ("mkdir folder", "folder", "folder: is a folder, expected a file; choose another place"),
      (
        "ln -s in.npy link", "link",
        "link: is a symbolic link, expected a path of its own; choose another place"
      ),
      (
        "mkfifo pipe", "pipe",
        "pipe: is neither a file nor a folder, expected a free path; choose another place"
      ),
      (":", "no/out.npz", "no: the folder does not exist; create it first"),
    ]
    for (preparation, path, message) in cases {
      _ = try line.shell(preparation)
      expectError(
        try line.netconv("run", "blobs", "--input", "in.npy", "--output", path), 73, message)
    }
    #expect(try line.names() == ["blobs", "folder", "in.npy", "link", "out.npz", "pipe"])
  }
}
