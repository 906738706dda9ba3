import TestSupport
import Testing

@Suite("convert --into")
struct SeveralSourcesTests {
  private func line() throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try line.folder.copy(Fixtures.path("keras/keras2-reshape-dense.h5"), to: "net.h5")
    try line.folder.copy(Fixtures.path("keras/keras2-flatten-bn.h5"), to: "blobs/NET.h5")
    try line.folder.copy(Fixtures.path("keras/wrong-shape.h5"), to: "wrong.h5")
    return line
  }

  @Test("each source gets a folder of its stem; equal stems, also but for case, get -2")
  func stems() throws {
    let line = try line()
    expectSuccess(
      try line.netconv(
        "convert", "net.h5", "blobs", "blobs/NET.h5", "blobs/", "--into", "all/", "--quiet"))
    #expect(try line.names(in: "all") == ["NET-2", "blobs", "blobs-2", "net"])
    #expect(try line.names(in: "all/net") == ["manifest.json", "model.netpack", "weights"])
  }

  @Test("only the known endings of files are cut, and no output becomes an archive by its name")
  func endings() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    let sources = [
      "net.v2", "net.netpack.h5", "net.netpack.netpack", "a.KERAS", "run.1/", "b.h5/", "c.netpack/",
      ".h5",
    ]
    for name in sources {
      if name.hasSuffix("/") {
        try line.folder.copy(line.folder.file("blobs"), to: String(name.dropLast()))
      } else {
        try line.folder.copy(Fixtures.path("keras/keras2-reshape-dense.h5"), to: name)
      }
    }
    let result = try NetconvProcess.run(
      ["convert"] + sources + ["--into", "all", "--quiet"], in: line.folder.path)
    expectSuccess(result)
    #expect(
      try line.names(in: "all") == [
        "a", "b.h5", "c", "model", "net", "net-2", "net.v2", "run.1",
      ])
    for name in try line.names(in: "all") {
      #expect(try line.names(in: "all/" + name).contains("manifest.json"))
    }
  }

  @Test("the others are converted after a failure, and the first failure decides the exit code")
  func failures() throws {
    let line = try line()
    let result = try line.netconv(
      "convert", "wrong.h5", "net.h5", "no.h5", "blobs", "--into", "all")
    #expect(result.status == 65)
    #expect(
      result.errors == """
        netconv: error: wrong.h5: layer 'conv', tensor 'kernel': shape is [2, 3, 2, 4], expected \
        [3, 2, 2, 4] (H, W, I, O); correct the layer or its weights
        netconv: error: no.h5: no such file or folder; check the path
        netconv: 2 of 4 sources failed: 'wrong.h5', 'no.h5'

        """)
    #expect(result.output.contains("net.h5 (keras 2.21.0) -> all/net, target mps"))
    #expect(result.output.contains("blobs -> all/blobs, target mps"))
    #expect(try line.names(in: "all") == ["blobs", "net"])

    let second = try line.netconv(
      "convert", "no.h5", "wrong.h5", "net.h5", "--into", "all", "--force", "--quiet")
    #expect(second.status == 66)
  }

  @Test("a wrong option is said once, before anything is created")
  func usage() throws {
    let line = try line()
    expectError(
      try line.netconv("convert", "net.h5", "blobs", "--into", "all", "--target", "tpu"), 64,
      "there is no target 'tpu'; known are mps, mpsgraph, mlx, torch, tensorflow, onnx, tflite, bnns, coreml, "
        + "ncnn, rtneural, tfjs, source")
  }

  @Test(
    "the folder is created, but not the way to it",
    arguments: [
      ("no/all", "no/all: cannot be created; its folder does not exist"),
      (
        "net.h5",
        "net.h5: cannot be created; something else is there, so choose another path"
      ),
      ("net.h5/all", "net.h5/all: cannot be created; its folder does not exist"),
    ])
  func folder(path: String, message: String) throws {
    let line = try line()
    expectError(try line.netconv("convert", "blobs", "--into", path), 73, message)
  }
}
