import Foundation
import TestSupport
import Testing

@Suite("run --output")
struct RunOutputTests {
  private func line() throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try line.folder.write(Self.images, to: "in.npy")
    return line
  }

  private static let images = npy("<f4", "(1, 6, 5, 2)", [UInt8](repeating: 0, count: 240))

  private func run(
    _ line: CommandLine, to output: String, _ options: String...
  ) throws -> NetconvProcess.Result {
    try NetconvProcess.run(
      ["run", "blobs", "--input", "in.npy", "--output", output] + options, in: line.folder.path)
  }

  @Test("an output goes to a free path, as .npz or as .npy")
  func output() throws {
    let line = try line()
    expectSuccess(try run(line, to: "out.npz"))
    expectSuccess(try run(line, to: "out.npy"))
    #expect(try arrays(line.folder.file("out.npz")).mapValues(\.shape) == ["fc": [1, 7]])
    #expect(try arrays(line.folder.file("out.npy")).mapValues(\.shape) == ["": [1, 7]])
    #expect(
      try arrays(line.folder.file("out.npy"))[""]?.values
        == arrays(line.folder.file("out.npz"))["fc"]?.values)
    #expect(try line.names() == ["blobs", "in.npy", "out.npy", "out.npz"])
  }

  @Test("what stands in the way exits with 73 and stays as it is")
  func refused() throws {
    let line = try line()
    let cases = [
      (
        "cp in.npy out.npz", "out.npz",
        "out.npz: is a file; choose another path, or pass --force to replace an earlier output"
      ),
      (
        "mkdir folder.npz", "folder.npz",
        "folder.npz: is a folder, expected a file; choose another path"
      ),
      (
        "ln -s nowhere link.npz", "link.npz",
        "link.npz: is a symbolic link, expected a path of its own; choose another path"
      ),
      (
        "mkfifo pipe.npz", "pipe.npz",
        "pipe.npz: is neither a file nor a folder, expected a free path; choose another path"
      ),
      (":", "no/out.npz", "no: the folder does not exist; create it first"),
    ]
    for (preparation, path, message) in cases {
      _ = try line.shell(preparation)
      expectError(try run(line, to: path), 73, message)
    }
    #expect(try line.folder.bytes("out.npz") == Self.images)
    #expect(
      try line.names() == ["blobs", "folder.npz", "in.npy", "link.npz", "out.npz", "pipe.npz"])
  }

  @Test("--force replaces what is numpy's by its content, and nothing else")
  func force() throws {
    let line = try line()
    try line.folder.copy(Fixtures.sample("deep-mnist/deep-mnist.h5"), to: "victim.npz")
    try line.folder.write("notes", to: "notes.npz")
    expectSuccess(try line.netconv("convert", "blobs", "archive.netpack", "--quiet"))
    try line.folder.copy(line.folder.file("archive.netpack"), to: "archive.npz")
    for name in ["victim.npz", "notes.npz", "archive.npz"] {
      let before = try line.folder.bytes(name)
      expectError(
        try run(line, to: name, "--force"), 73,
        "\(name): is neither an .npy nor an .npz file by its content; --force replaces only these"
      )
      #expect(try line.folder.bytes(name) == before)
    }
    try line.folder.copy(line.folder.file("in.npy"), to: "out.npz")
    for _ in 0..<2 {
      expectSuccess(try run(line, to: "out.npz", "--force"))
      #expect(try arrays(line.folder.file("out.npz")).keys.sorted() == ["fc"])
    }
    #expect(try line.names().filter { $0.hasPrefix(".") } == [])
  }

  @Test("an input is never replaced, whatever it is called")
  func inputs() throws {
    let line = try line()
    _ = try line.shell(
      "ln -s in.npy soft.npy; ln in.npy hard.npy; cp in.npy blobs/more.npy; mkdir sub")
    let cases = [
      ("in.npy", "in.npy"), ("./in.npy", "in.npy"), ("sub/../in.npy", "in.npy"),
      ("soft.npy", "in.npy"), ("hard.npy", "in.npy"), ("blobs/more.npy", "blobs/more.npy"),
      (line.folder.file("in.npy"), "in.npy"),
    ]
    for (output, input) in cases {
      for options in [[], ["--force"]] {
        let result = try NetconvProcess.run(
          ["run", "blobs", "--input", "in.npy", "--output", output] + options,
          in: line.folder.path)
        expectError(
          result, 64,
          "\(output): is '\(input)', which this run reads; an output never replaces an input, so choose "
            + "another path")
      }
    }
    #expect(try line.folder.bytes("in.npy") == Self.images)
    #expect(try line.folder.bytes("blobs/more.npy") == Self.images)
  }

  @Test("neither the model nor its architecture is replaced")
  func models() throws {
    let line = try line()
    try line.folder.copy(Fixtures.sample("deep-mnist/deep-mnist.h5"), to: "victim.npz")
    try line.folder.copy(Fixtures.sample("deep-mnist/digits.npy"), to: "digits.npy")
    let before = try line.folder.bytes("victim.npz")
    let message =
      "is 'victim.npz', which this run reads; an output never replaces an input, so choose another path"
    expectError(
      try line.netconv(
        "run", "victim.npz", "--input", "digits.npy", "--output", "victim.npz", "--force"), 64,
      "victim.npz: \(message)")
    expectError(
      try line.netconv(
        "run", "blobs", "--model", "victim.npz", "--input", "in.npy", "--output", "victim.npz",
        "--force"), 64, "victim.npz: \(message)")
    #expect(try line.folder.bytes("victim.npz") == before)
  }

  @Test("a name without a format, and .npy for several outputs, are refused before the model runs")
  func names() throws {
    let line = try line()
    for name in ["out", "out.txt", "out.h5", "out.npz.bak"] {
      // Not even the model is read.
      expectError(
        try line.netconv("run", "none", "--input", "none.npy", "--output", name), 64,
        "'\(name)' names no format for the outputs; end it in .npz, or in .npy for a single output")
    }
    expectError(
      try line.netconv(
        "run", "blobs", "--input", "none.npy", "--output", "out.npy", "--layer", "conv"), 64,
      "out.npy: an .npy file holds one array, but there are 2 outputs: 'fc', 'conv'; end the name in .npz"
    )
    let forced = try line.netconv("run", "blobs", "--input", "in.npy", "--force")
    #expect(forced.status == 64)
    #expect(
      forced.errors.hasPrefix(
        "netconv: error: --force is for --output; name a file, or leave it out\n"))
    #expect(try line.names() == ["blobs", "in.npy"])
  }
}
