import Foundation
import TestSupport
import Testing

@Suite("Containers: alone, several of them, and gone")
struct ContainerTests {
  private func line() throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    return line
  }

  @Test(
    "a name that ends like a container gives that container alone",
    arguments: ["netpack", "safetensors", "npz"])
  func alone(suffix: String) throws {
    let line = try line()
    let format = suffix == "netpack" ? "archive" : suffix
    for target in ["mps", "torch", "tensorflow"] {
      let name = "\(target).\(suffix)"
      let result = try line.netconv("convert", "blobs", name, "--target", target)
      expectSuccess(result)
      #expect(result.output.contains(", as \(format); each read back and equal to the source\n"))
      expectSuccess(
        try line.netconv(
          "convert", "blobs", "folder", "--target", target, "--formats", format, "--quiet",
          "--force"))
      #expect(try line.folder.bytes(name) == line.folder.bytes("folder/model.\(suffix)"))
      let size = try line.folder.bytes(name).count
      let json = try line.netconv("convert", "blobs", name, "--target", target, "--force", "--json")
      expectSuccess(json)
      let report = try #require(
        (jsonObject(json.output.utf8)["conversions"] as? [[String: Any]])?.first)
      #expect(report["bytesOnDisk"] as? Int == size)
      #expect(report["manifest"] as? Bool == (suffix == "netpack"))
      let containers = try #require(report["containers"] as? [[String: Any]])
      #expect(containers.map { $0["format"] as? String } == [format])
      #expect(containers.map { $0["bytes"] as? Int } == [size])
    }
  }

  @Test("what such a file lacks is said: both are read as weights, and cannot be run")
  func withoutManifest() throws {
    let line = try line()
    for name in ["x.safetensors", "x.npz"] {
      let result = try line.netconv("convert", "blobs", name, "--target", "torch")
      expectSuccess(result)
      #expect(
        result.output.hasSuffix(
          " on disk, without a manifest: netconv cannot verify or run this file alone; a folder has one\n"
        )
      )
      expectError(
        try line.netconv("convert", "blobs", name, "--goldens", "1", "--force"), 64,
        "'\(name)' cannot hold goldens; name a folder or a .netpack archive, or leave them out"
      )
    }
    expectError(
      try line.netconv(
        "convert", "blobs", "y.npz", "--target", "tensorflow", "--dtype", "bfloat16"), 64,
      "'y.npz' cannot hold bfloat16, which NumPy does not have; end the name in .safetensors or .netpack, or "
        + "name a folder")
    for name in ["x.safetensors", "x.npz"] {
      expectError(
        try line.netconv("verify", name), 64,
        "\(name): holds weights without a graph, so they cannot be run; name one with --model (inspect "
          + "--scaffold writes a first draft), or convert the weights alone with convert --weights-only"
      )
      expectSuccess(
        try line.netconv("convert", name, "again", "--weights-only", "--force", "-q"))
    }
  }

  @Test("--force replaces such a file only if netconv wrote it")
  func force() throws {
    let line = try line()
    try line.folder.write(npy("<f4", "(1)", [0, 0, 0, 0]), to: "x.npz")
    try line.folder.write("mine", to: "x.safetensors")
    try writeArchive([], to: line.folder.file("y.npz"))
    for name in ["x.npz", "y.npz", "x.safetensors"] {
      let before = try line.folder.bytes(name)
      expectError(
        try line.netconv("convert", "blobs", name), 73,
        "\(name): is a file; choose another path, or pass --force to replace an earlier output")
      expectError(
        try line.netconv("convert", "blobs", name, "--force"), 73,
        "\(name): holds '\(name)', which netconv did not write; --force replaces only what netconv wrote"
          + ", so move it away or choose another path"
      )
      #expect(try line.folder.bytes(name) == before)
    }
  }

  @Test("the summary says what is on the disk, and how it could be half of it")
  func summary() throws {
    let line = try line()
    let both = try line.netconv("convert", "blobs", "out")
    expectSuccess(both)
    func size(_ name: String) throws -> Int {
      try line.contents(of: name).values.reduce(0) { $0 + $1.count }
    }
    let manifest = try line.folder.bytes("out/manifest.json").count
    let archive = try line.folder.bytes("out/model.netpack").count
    let total = try size("out")
    #expect(total == 2028 + archive + manifest)
    #expect(
      both.output.hasSuffix(
        "\(kilobytes(total)) on disk: 2.0 kB as bin, \(kilobytes(archive)) as archive and "
          + "\(kilobytes(manifest)) of manifest; --formats bin alone takes \(kilobytes(2028 + manifest)) with it\n"
      ))
    let one = try line.netconv("convert", "blobs", "one", "--formats", "bin")
    #expect(one.output.hasSuffix("\n\(kilobytes(try size("one"))) on disk\n"))
  }

  private func kilobytes(_ count: Int) -> String {
    let tenths = (count + 50) / 100
    return "\(tenths / 10).\(tenths % 10) kB"
  }

  @Test("hashes count each tensor once, and say in which containers")
  func hashes() throws {
    let line = try line()
    expectSuccess(try line.netconv("convert", "blobs", "out", "--quiet", "--goldens", "1"))
    for (path, containers) in [("out", "bin and archive"), ("out/model.netpack", "archive")] {
      let result = try line.netconv("verify", path, "--goldens")
      expectSuccess(result)
      #expect(
        result.output.hasPrefix("hashes     4 tensors in \(containers) are as the manifest says\n"))
      let report = try jsonObject(line.netconv("verify", path, "--goldens", "--json").output.utf8)
      #expect(report["checkedTensors"] as? Int == 4)
      #expect(
        (report["checkedContainers"] as? [String])?.joined(separator: " and ") == containers)
    }
  }

  @Test(
    "verify notices that a container is gone which the manifest lists; what is left alone is still a source",
    arguments: [
      ("rm -r out/weights", "'weights' is", "archive"),
      ("rm out/model.netpack", "'model.netpack' is", "bin"),
      ("rm -r out/weights out/model.npz", "'weights' and 'model.npz' are", "archive"),
    ])
  func gone(change: String, missing: String, left: String) throws {
    let line = try line()
    expectSuccess(
      try line.netconv(
        "convert", "blobs", "out", "--quiet", "--goldens", "1", "--formats", "bin,archive,npz"))
    try line.folder.copy(line.folder.file("out/model.netpack"), to: "alone.netpack")
    _ = try line.shell(change)
    for options in [["--goldens"], []] {
      expectError(
        try NetconvProcess.run(["verify", "out"] + options, in: line.folder.path), 65,
        "out: \(missing) missing, which the manifest lists; restore the missing files, or write \(left) alone with "
          + "netconv convert --formats \(left)")
    }
    expectSuccess(try line.netconv("convert", "out", "new", "--formats", left, "--quiet"))
    #expect(try line.netconv("diff", "out", "new").status == 0)
    #expect(try line.netconv("verify", "alone.netpack", "--goldens").status == 0)
  }

  @Test("verify notices that the C of a conversion is gone")
  func source() throws {
    let line = try line()
    expectSuccess(
      try line.netconv(
        "convert", "blobs", "out", "--target", "tflite", "--formats", "bin,c", "--quiet"))
    _ = try line.shell("rm out/model.c")
    expectError(
      try line.netconv("verify", "out"), 65,
      "out: 'model.c' is missing, which the manifest lists; restore the missing files, or write bin alone with "
        + "netconv convert --formats bin")
  }
}
