import TestSupport
import Testing

@Suite("Arguments that are not UTF-8")
struct ArgumentTests {
  @Test("are refused with their place, before anything is read or written")
  func refused() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    let message =
      "'caf\u{fffd}', is not UTF-8; rename the file, or change to its folder and name it from there"
    let cases = [
      (#""$1" convert "$(printf 'caf\351')" out"#, 2),
      (#""$1" convert blobs "$(printf 'caf\351')""#, 3),
      (#""$1" verify blobs --images "$(printf 'caf\351')""#, 4),
    ]
    for (command, place) in cases {
      expectError(
        try line.shell(command), 64, "argument \(place), \(message)")
    }
    #expect(try line.names() == ["blobs"])
  }

  @Test("names of other letters are as they were given")
  func accepted() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    expectSuccess(try line.netconv("convert", "blobs", "café-日本", "--quiet"))
    #expect(try line.names() == ["blobs", "café-日本"])
  }

  /// True if a process can have its own view of the file system, and netconv is not started in one.
  private static let canHideFolders: Bool = {
    let tried = try? RunningProgram.run(["/usr/bin/env", "unshare", "--mount", "true"], in: "/")
    return NetconvProcess.installed == nil && tried?.status == 0
  }()

  @Test(
    "arguments that the system does not show are an error, not a wish for help",
    .enabled(if: canHideFolders, "only root can hide /proc, and only on Linux"))
  func withoutProc() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    let result = try line.shell(
      #"""
      exec unshare --mount sh -c 'mount --make-rprivate / && umount -l /proc && exec "$@"' sh "$1" convert blobs out
      """#)
    expectError(
      result, 66,
      "/proc/self/cmdline: cannot be read, so the arguments are unknown; mount /proc (mount -t proc proc /proc)"
    )
    #expect(try line.names() == ["blobs"])
  }
}
