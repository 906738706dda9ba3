import Foundation
import TestSupport
import Testing

@Suite("What --force replaces keeps its permissions")
struct PermissionTests {
  private func line() throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    return line
  }

  private func mode(_ line: CommandLine, _ name: String) throws -> String {
    let attributes = try FileManager.default.attributesOfItem(atPath: line.folder.file(name))
    return String(try #require(attributes[.posixPermissions] as? Int), radix: 8)
  }

  @Test("a folder, what is in it, and a container alone")
  func convert() throws {
    let line = try line()
    let names = ["out", "out.netpack", "out.safetensors", "out.npz"]
    for name in names { expectSuccess(try line.netconv("convert", "blobs", name, "--quiet")) }
    _ = try line.shell(
      "chmod 750 out out/weights; chmod 640 out/weights/*; chmod 600 out/weights/fc_b.bin out/manifest.json"
    )
    _ = try line.shell("chmod 600 out.netpack out.safetensors out.npz")
    for name in names {
      expectSuccess(
        try line.netconv("convert", "blobs", name, "--quiet", "--force", "--dtype", "float16"))
    }
    let expected = [
      "out": "750", "out/weights": "750", "out/weights/conv_W.bin": "640",
      "out/weights/fc_b.bin": "600", "out/manifest.json": "600", "out.netpack": "600",
      "out.safetensors": "600", "out.npz": "600",
    ]
    for (name, mode) in expected {
      #expect(try self.mode(line, name) == mode, "\(name)")
    }
  }

  @Test("the outputs of a run, and an empty folder")
  func others() throws {
    let line = try line()
    try line.folder.write(
      npy("<f4", "(1, 6, 5, 2)", [UInt8](repeating: 0, count: 240)), to: "in.npy")
    let run = ["run", "blobs", "--input", "in.npy", "--output", "out.npz", "--force"]
    for _ in 0..<2 {
      expectSuccess(try NetconvProcess.run(run, in: line.folder.path))
      _ = try line.shell("chmod 604 out.npz")
    }
    expectSuccess(try NetconvProcess.run(run, in: line.folder.path))
    #expect(try mode(line, "out.npz") == "604")
    _ = try line.shell("mkdir -m 700 private")
    expectSuccess(try line.netconv("convert", "blobs", "private", "--quiet"))
    #expect(try mode(line, "private") == "700")
  }
}
