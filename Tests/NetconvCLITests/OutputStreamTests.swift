import Foundation
import TestSupport
import Testing

@Suite("What goes to stdout and what to stderr")
struct OutputStreamTests {
  private func line() throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try line.folder.write(
      npy("<f4", "(1, 6, 5, 2)", [UInt8](repeating: 0, count: 240)), to: "in.npy")
    return line
  }

  @Test(
    "--json prints one JSON document and nothing else",
    arguments: [
      ["convert", "m.h5", "new"], ["convert", "m.h5", "blobs", "--into", "all"],
      ["inspect", "m.h5"], ["inspect", "m.h5", "--stats"], ["run", "blobs", "--input", "in.npy"],
      ["verify", Fixtures.sample("lenet-blobs"), "--limit", "10"],
    ])
  func json(arguments: [String]) throws {
    let line = try line()
    // A checkpoint that is warned of: the warning must not reach stdout.
    try line.folder.copy(Fixtures.path("keras/not-finite.h5"), to: "m.h5")
    let result = try NetconvProcess.run(arguments + ["--json"], in: line.folder.path)
    #expect(result.status == 0)
    #expect(!(try jsonObject(result.output.utf8)).isEmpty)
    #expect(result.output.hasSuffix("}\n"))
    #expect(result.errors.isEmpty || result.errors.hasPrefix("netconv: warning: "))
  }

  @Test("--json prints a document also where some of several sources failed")
  func jsonWithFailures() throws {
    let line = try line()
    let result = try line.netconv("convert", "no.h5", "blobs", "--into", "all", "--json")
    #expect(result.status == 66)
    let report = try jsonObject(result.output.utf8)
    #expect((report["conversions"] as? [Any])?.count == 1)
    let failures = try #require(report["failures"] as? [[String: String]])
    #expect(
      failures == [
        [
          "source": "no.h5", "kind": "cannotOpen",
          "message": "no.h5: no such file or folder; check the path",
        ]
      ])
  }

  @Test("where both streams go to one place, the verdict is below the report")
  func verdictIsLast() throws {
    let line = try line()
    try line.folder.copy(Fixtures.sample("lenet-blobs"), to: "lenet")
    try line.replace("(IHW)O", with: "(HWI)O", in: "lenet/model.json")
    for (arguments, status, last) in [
      (
        ["verify", "lenet", "--against", Fixtures.sample("lenet-blobs"), "--limit", "5"], 1,
        "    declare the layout (IHW)O in the source, or write them as (HWI)O"
      ),
      (
        ["verify", "lenet", "--limit", "5", "--min-accuracy", "1", "--confusion"], 1,
        "netconv: the accuracy 0.0000 is below the 1.0 asked for"
      ),
      (
        // Again for the pipe: `blobs` succeeds both times.
        ["convert", "no.h5", "blobs", "--into", "all", "--force"], 66,
        "netconv: 1 of 2 sources failed: 'no.h5'"
      ),
      (["inspect", Fixtures.path("keras/keras3-unsupported.h5")], 0, nil),
    ] as [([String], ExitCode, String?)] {
      // A file, as for a log, and a pipe.
      for shell in [
        #""$@" >log 2>&1; s=$?; cat log; exit $s"#,
        #"{ "$@" 2>&1; echo $? >code; } | cat; exit $(cat code)"#,
      ] {
        let result = try NetconvProcess.run(
          arguments, in: line.folder.path, wrapper: ["/bin/sh", "-c", shell, "sh"])
        #expect(result.status == status)
        let lines = result.output.split(separator: "\n").map(String.init)
        let warning = try #require(lines.lastIndex { $0.hasPrefix("netconv: ") })
        #expect(lines[warning...].dropFirst().allSatisfy { $0.hasPrefix("  ") }, "\(lines)")
        if let last { #expect(lines.last == last) }
        #expect(warning > 3, "\(lines)")
        #expect(result.errors == "")
      }
    }
  }

  @Test("--quiet prints nothing on success, and errors as ever")
  func quiet() throws {
    let line = try line()
    for arguments in [
      ["convert", "blobs", "out"], ["convert", "blobs", "--into", "all"],
      ["verify", Fixtures.sample("lenet-blobs"), "--limit", "10"], ["inspect", "blobs", "--stats"],
      ["run", "blobs", "--input", "in.npy", "--output", "y.npz"], ["diff", "blobs", "out"],
      ["probe", "probe"], ["probe", "--check", "probe/probe.npz"],
      ["emit", "blobs", "--language", "mpsgraph", "--output", "package"],
      ["embed", "blobs", "--archive", "blobs.netpack"],
    ] {
      let result = try NetconvProcess.run(arguments + ["--quiet"], in: line.folder.path)
      expectSuccess(result)
      #expect(result.output == "", "\(arguments)")
    }
    // What was asked for by a file is there.
    #expect(
      try line.names()
        == ["all", "blobs", "blobs.netpack", "in.npy", "out", "package", "probe", "y.npz"])
    expectError(
      try line.netconv("inspect", "no.h5", "-q"), 66,
      "no.h5: no such file or folder; check the path")
    // The exit code speaks.
    let other = try line.netconv("diff", "blobs", Fixtures.sample("lenet-blobs"), "-q")
    #expect(other.status == 1 && other.output == "" && other.errors == "")
    // Source as text is no report but the result.
    let source = try line.netconv("emit", "blobs", "--language", "dsl", "-q")
    #expect(source.output.contains("import ModelDSL"))
  }

  @Test("--quiet leaves out what inspect, run, emit and embed warn of")
  func quietWarnings() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/not-finite.h5"), to: "m.h5")
    let loud = try line.netconv("embed", "m.h5", "--archive", "loud.netpack")
    #expect(loud.errors.hasPrefix("netconv: warning: "))
    expectSuccess(try line.netconv("embed", "m.h5", "--archive", "quiet.netpack", "--quiet"))
    #expect(try line.folder.bytes("loud.netpack") == line.folder.bytes("quiet.netpack"))
  }

  @Test("a progress bar needs a terminal")
  func progress() throws {
    let line = try CommandLine()
    try TinyModel.writeLarge(to: line, size: 2048)
    let result = try line.netconv("convert", "large", "out", environment: ["TERM": "xterm"])
    expectSuccess(result)
    #expect(!result.output.contains("\u{1b}") && !result.output.contains("\r"))
  }

  @Test("a reader that stops early ends the program without a word, also if the signal is ignored")
  func brokenPipe() throws {
    let line = try line()
    for ignoring in ["", "trap '' PIPE; "] {
      // The reader has gone before the program starts.
      let result = try line.shell(
        ignoring + #"{ sleep 0.3; exec "$@"; } | :"#, "inspect", "blobs", "--tensors")
      #expect(result.errors == "")
      let head = try line.shell(ignoring + #""$@" | head -n 1"#, "inspect", "blobs", "--tensors")
      #expect(head.errors == "")
      #expect(head.output.wholeMatch(of: /blobs: model 'tiny' \(raw-blobs\), .*\n/) != nil)
    }
  }

  @Test(
    "a result that cannot be written is an I/O error",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
    arguments: [
      ["inspect", "blobs"], ["inspect", "blobs", "--json"], ["convert", "blobs", "out"],
      ["run", "blobs", "--input", "in.npy"], ["--help"], ["--version"], ["inspect", "--help"],
    ])
  func fullOutput(arguments: [String]) throws {
    let line = try line()
    let result = try NetconvProcess.run(
      arguments, in: line.folder.path, wrapper: ["/bin/sh", "-c", #"exec "$@" >/dev/full"#, "sh"])
    expectError(
      result, 74, "standard output: the result cannot be written (No space left on device)")
  }

  @Test("a closed stdout is an I/O error, a closed stderr none")
  func closedStreams() throws {
    let line = try line()
    expectError(
      try line.shell(#"exec "$@" >&-"#, "inspect", "blobs"), 74,
      "standard output: the result cannot be written (Bad file descriptor)")
    #expect(try line.shell(#"exec "$@" 2>&-"#, "inspect", "blobs").status == 0)
    #expect(try line.shell(#"exec "$@" 2>&-"#, "inspect", "no.h5").status == 66)
  }
}
