import Foundation
import TestSupport
import Testing

@Suite("Work that is cut short leaves the old output or the new one")
struct InterruptionTests {
  /// The size of each axis of a layer that takes long enough to be interrupted: 256 MiB.
  private static let largeSize = 8192

  /// A folder with a small model, its output in `out`, and a large model.
  private func line() throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try TinyModel.writeLarge(to: line, size: Self.largeSize)
    expectSuccess(try line.netconv("convert", "blobs", "out", "--quiet"))
    return line
  }

  private func staging(_ line: CommandLine) throws -> [String] {
    try line.names().filter { $0.hasPrefix(".netconv-staging-") }
  }

  /// Starts to replace `out` by the large model, and returns when its temporaries are there and locked:
  /// the folder in them is made after the lock.
  private func start(_ line: CommandLine) throws -> NetconvProcess.Running {
    let running = try NetconvProcess.start(
      ["convert", "large", "out", "--force", "--formats", "bin"], in: line.folder.path)
    while running.isRunning {
      let folder = try staging(line).first.map { line.folder.file("\($0)/new") }
      if let folder, access(folder, F_OK) == 0 { break }
      usleep(1000)
    }
    return running
  }

  @Test(
    "SIGINT, SIGTERM and SIGHUP remove the temporaries and exit with 130",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func interrupted(signal: Int32) throws {
    let line = try line()
    let before = try line.contents(of: "out")
    let running = try start(line)
    running.signal(signal)
    expectError(try running.wait(), 130, "large: interrupted; nothing was changed")
    #expect(try line.names() == ["blobs", "large", "out"])
    #expect(try line.contents(of: "out") == before)
  }

  @Test(
    "where no output was begun, the program ends wherever it is, and says so",
    arguments: [SIGINT, SIGTERM])
  func reading(signal: Int32) throws {
    let line = try CommandLine()
    // So many that reading alone takes seconds.
    let count = 60_000
    let header = (0..<count).map {
      #""t\#($0)":{"dtype":"F32","shape":[1],"data_offsets":[\#(4 * $0),\#(4 * $0 + 4)]}"#
    }
    let text = Array(("{" + header.joined(separator: ",") + "}").utf8)
    let size = withUnsafeBytes(of: UInt64(text.count).littleEndian) { Array($0) }
    try line.folder.write(
      size + text + [UInt8](repeating: 0, count: 4 * count), to: "many.safetensors")
    let running = try NetconvProcess.start(
      ["convert", "many.safetensors", "out", "--weights-only"], in: line.folder.path)
    // Handlers are installed long before this.
    usleep(300_000)
    #expect(running.isRunning)
    running.signal(signal)
    let result = try running.wait()
    #expect(result.status == 130)
    #expect(result.errors.hasSuffix("interrupted; nothing was changed\n"))
    #expect(result.output.isEmpty)
    #expect(try line.names() == ["many.safetensors"])
  }

  @Test("where SIGHUP is ignored, as under nohup, the work goes on")
  func ignored() throws {
    let line = try line()
    let running = try NetconvProcess.start(
      ["convert", "large", "out", "--force", "--formats", "bin", "--quiet"], in: line.folder.path,
      wrapper: ["/bin/sh", "-c", #"trap '' HUP; exec "$@""#, "sh"])
    while running.isRunning, try staging(line).isEmpty { usleep(1000) }
    running.signal(SIGHUP)
    expectSuccess(try running.wait())
    #expect(try line.names() == ["blobs", "large", "out"])
    #expect(try line.names(in: "out/weights") == ["fc_W.bin", "fc_b.bin"])
  }

  @Test("several sources: what was converted before the interruption is said")
  func severalSources() throws {
    let line = try line()
    let running = try NetconvProcess.start(
      ["convert", "blobs", "large", "out", "--into", "all", "--formats", "bin"],
      in: line.folder.path)
    while running.isRunning {
      let names = (try? line.names(in: "all")) ?? []
      let folder = names.first { $0.hasPrefix(".netconv-staging-") }
      // The second source is at work when the output of the first is there.
      if let folder, names.contains("blobs"),
        access(line.folder.file("all/\(folder)/new"), F_OK) == 0
      {
        break
      }
      usleep(1000)
    }
    running.signal(SIGINT)
    let result = try running.wait()
    #expect(
      result.errors == """
        netconv: error: interrupted; of 3 sources 1 was converted, the others were not
          blobs -> all/blobs

        """)
    #expect(result.output.hasPrefix("blobs -> all/blobs, target mps\n"))
    #expect(result.status == 130)
    #expect(try line.names(in: "all") == ["blobs"])
  }

  @Test(
    "run and verify end at the first SIGINT, with either engine", arguments: ["fast", "reference"])
  func running(engine: String) throws {
    let line = try CommandLine()
    let (side, channels, depth) = (64, 8, 40)
    let layers = (1...depth).map { index in
      """
      {"name": "c\(index)", "operator": "Convolution2D", "inputs": ["c\(index - 1)"],
       "attributes": {"outputChannels": \(channels), "kernelSize": [3, 3], "padding": "same"},
       "parameters": [{"role": "kernel", "file": "W.bin", "dtype": "float32", "layout": "HWIO"}]},
      """
    }.joined()
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "long",
       "inputs": [{"name": "c0", "shape": [\(side), \(side), \(channels)]}], "outputs": ["y"],
       "layers": [\(layers)
        {"name": "y", "operator": "GlobalAveragePooling2D", "inputs": ["c\(depth)"]}]}
      """, to: "long/model.json")
    try line.writeZeros(4 * 3 * 3 * channels * channels, to: "long/W.bin")
    // Far more than is run in half a second, but soon read.
    let count = engine == "fast" ? 2000 : 100
    let size = side * side * channels
    try line.folder.write(
      npy(
        "<f4", "(\(count), \(side), \(side), \(channels))",
        [UInt8](repeating: 0, count: 4 * count * size)), to: "in.npy")
    let running = try NetconvProcess.start(
      ["run", "long", "--input", "in.npy", "--engine", engine, "--output", "out.npz"],
      in: line.folder.path)
    usleep(500_000)
    #expect(running.isRunning)
    running.signal(SIGINT)
    let result = try running.wait()
    #expect(result.status == 130)
    #expect(result.errors.hasSuffix("interrupted; nothing was changed\n"))
    #expect(try line.names() == ["in.npy", "long"])
  }

  @Test("after SIGKILL the old output is intact, and the next run removes the temporaries")
  func killed() throws {
    let line = try line()
    let before = try line.contents(of: "out")
    let running = try start(line)
    running.signal(SIGKILL)
    #expect(try running.wait().status == ExitCode(128 + SIGKILL))
    #expect(try staging(line).count == 1)
    #expect(try line.contents(of: "out") == before)

    expectSuccess(try line.netconv("convert", "blobs", "second", "--quiet"))
    #expect(try line.names() == ["blobs", "large", "out", "second"])
  }

  @Test("the temporaries of a running process are left alone")
  func held() throws {
    let line = try line()
    let running = try start(line)
    running.signal(SIGSTOP)
    let held = try staging(line)
    #expect(held.count == 1)
    expectSuccess(try line.netconv("convert", "blobs", "second", "--quiet"))
    #expect(try staging(line) == held)
    running.signal(SIGCONT)
    running.signal(SIGINT)
    #expect(try running.wait().status == 130)
    #expect(try line.names() == ["blobs", "large", "out", "second"])
  }

  @Test("a file that comes into the output while it is made is kept, and the new output is not")
  func foreignFile() throws {
    let line = try line()
    let before = try line.contents(of: "out")
    let running = try start(line)
    try line.folder.write("mine", to: "out/notes.txt")
    expectError(
      try running.wait(), 73,
      "out: holds 'notes.txt', which netconv did not write; --force replaces only what netconv wrote"
        + ", so move it away or choose another path"
    )
    #expect(try line.contents(of: "out").filter { $0.key != "notes.txt" } == before)
    #expect(try line.folder.bytes("out/notes.txt") == Array("mine".utf8))
    #expect(try line.names() == ["blobs", "large", "out"])
  }

  @Test("a file-size limit is an I/O error, and nothing is left behind")
  func fileSizeLimit() throws {
    let line = try CommandLine()
    try TinyModel.writeLarge(to: line, size: 128)
    // 32 blocks are 16 or 32 kB; the kernel takes 64 kB.
    let limited = #"ulimit -f 32; exec "$@""#
    expectError(
      try line.shell(limited, "convert", "large", "out"), 74,
      "out: layer 'fc', tensor 'kernel': cannot be written (File too large); make room and run again"
    )
    #expect(try line.names() == ["large"])

    try TinyModel.write(to: line)
    expectSuccess(try line.netconv("convert", "blobs", "out", "--quiet"))
    let before = try line.contents(of: "out")
    for options in [[], ["--formats", "archive"]] {
      let result = try NetconvProcess.run(
        ["convert", "large", "out", "--force"] + options, in: line.folder.path,
        wrapper: ["/bin/sh", "-c", limited, "sh"])
      #expect(result.status == 74)
    }
    #expect(try line.contents(of: "out") == before)
    #expect(try line.names() == ["blobs", "large", "out"])
  }

  private static let canMount =
    (try? NetconvProcess.run(
      ["--version"], wrapper: ["/usr/bin/unshare", "-m"])).map { $0.status == 0 } ?? false

  @Test(
    "a disk with too little room is an I/O error, and nothing is written to it",
    .enabled(if: canMount, "mounting a small disk takes rights that the tests do not have"),
    .enabled(if: NetconvProcess.installed == nil, "another system does not see the disk"))
  func fullDisk() throws {
    let line = try CommandLine()
    try TinyModel.writeLarge(to: line, size: 256)
    let result = try NetconvProcess.run(
      ["convert", "large", "disk/out"], in: line.folder.path,
      wrapper: [
        "/usr/bin/unshare", "-m", "/bin/sh", "-c",
        #"mkdir disk; mount -t tmpfs -o size=128k none disk; "$@"; code=$?; ls -A disk; exit $code"#,
        "sh",
      ])
    expectError(
      result, 74,
      "disk/out: takes 514 KiB, but only 128 KiB are free there; make room and run "
        + "again")
  }
}
