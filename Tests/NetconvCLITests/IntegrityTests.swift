import Foundation
import TestSupport
import Testing

@Suite("Outputs that were changed after they were written")
struct IntegrityTests {
  private func converted(_ options: String...) throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    let result = try NetconvProcess.run(
      ["convert", "blobs", "out", "--quiet"] + options, in: line.folder.path)
    expectSuccess(result)
    return line
  }

  /// Expects an error that names the file, layer and tensor, and a way on; the digests themselves vary.
  private func expectWrongHash(
    _ result: NetconvProcess.Result, _ file: String, _ place: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let start = "netconv: error: \(file): \(place): SHA-256 is "
    #expect(result.errors.hasPrefix(start), sourceLocation: sourceLocation)
    #expect(
      result.errors.dropFirst(start.count).replacing(/[0-9a-f]{16}/, with: "DIGEST")
        == "DIGEST…, the manifest says DIGEST…; it is damaged, so convert the model again\n",
      sourceLocation: sourceLocation)
    #expect(result.output == "", sourceLocation: sourceLocation)
    #expect(result.status == 65, sourceLocation: sourceLocation)
  }

  private static let tensors = [
    ("conv_W", "layer 'conv', tensor 'kernel'"), ("conv_b", "layer 'conv', tensor 'bias'"),
    ("fc_W", "layer 'fc', tensor 'kernel'"), ("fc_b", "layer 'fc', tensor 'bias'"),
  ]

  @Test("a changed bit in any tensor is found, wherever it is", arguments: tensors)
  func changedBlob(name: String, place: String) throws {
    let line = try converted()
    let file = "out/weights/\(name).bin"
    for offset in [0, 13, -1] {
      try line.flip(file, at: offset)
      expectWrongHash(try line.netconv("verify", "out"), file, place)
      try line.flip(file, at: offset)
    }
    try line.folder.write(TinyModel.document, to: "input.npy")
    try line.flip(file, at: 0)
    expectWrongHash(try line.netconv("run", "out", "--input", "input.npy"), file, place)
  }

  @Test(
    "a changed bit in the archive's tensors is found, beside blobs or alone", arguments: tensors)
  func changedArchive(name: String, place: String) throws {
    let line = try converted()
    let manifest = try jsonObject(try line.folder.bytes("out/manifest.json"))
    let tensors = try #require(manifest["tensors"] as? [[String: Any]])
    let record = try #require(tensors.first { $0["name"] as? String == name })
    try line.flip(
      "out/model.netpack",
      at: try #require(
        (record["places"] as? [String: [String: Any]])?["archive"]?["offset"] as? Int))
    expectWrongHash(try line.netconv("verify", "out"), "out/model.netpack", place)
    expectWrongHash(
      try line.netconv("verify", "out/model.netpack"), "out/model.netpack", place)
  }

  @Test("every bit of the archive's manifest, directory and end record counts")
  func changedDirectory() throws {
    let line = try converted()
    let archive = try line.folder.bytes("out/model.netpack")
    let manifest = try line.folder.bytes("out/manifest.json")
    let start = try #require(Data(archive).range(of: Data(manifest))?.lowerBound)
    // 37 is coprime to the lengths of all records, so that every field is met.
    for offset in stride(from: start, to: archive.count, by: 37) {
      var changed = archive
      changed[offset] ^= 1
      try line.folder.write(changed, to: "out/model.netpack")
      let result = try line.netconv("inspect", "out")
      guard result.status != 0 else {
        // Fields that nobody reads: versions, times and attributes.
        #expect(offset > start + manifest.count)
        continue
      }
      #expect(result.status == 65)
      #expect(result.errors.hasPrefix("netconv: error: out/m"))
    }
  }

  @Test("an archive that was cut off is refused", arguments: [0, 100, 2000, -100, -22, -1])
  func truncatedArchive(size: Int) throws {
    let line = try converted()
    let bytes = try line.folder.bytes("out/model.netpack")
    try line.folder.write(
      bytes.prefix(size < 0 ? bytes.count + size : size), to: "out/model.netpack")
    expectError(
      try line.netconv("verify", "out"), 65,
      "out/model.netpack: is not a valid ZIP archive: there is no end record; the file may be "
        + "truncated")
  }

  @Test(
    "a blob that is gone, shorter, longer or a link is named with its layer",
    arguments: [
      (
        "rm out/weights/fc_b.bin", 66,
        "there is no such file, though the manifest lists it; convert the model again"
      ),
      (
        "printf x >> out/weights/fc_b.bin", 65,
        "holds 29 bytes, the manifest says 28; convert the model again"
      ),
      (
        ": > out/weights/fc_b.bin", 65,
        "holds 0 bytes, the manifest says 28; convert the model again"
      ),
    ] as [(String, Int32, String)])
  func blobs(change: String, status: Int32, message: String) throws {
    let line = try converted()
    _ = try line.shell(change)
    expectError(
      try line.netconv("verify", "out"), status,
      "out/weights/fc_b.bin: layer 'fc', tensor 'bias': \(message)")
  }

  @Test("a blob behind a symbolic link is not read")
  func linkedBlob() throws {
    let line = try converted()
    _ = try line.shell("mv out/weights/fc_b.bin .; ln -s ../../fc_b.bin out/weights/fc_b.bin")
    expectError(
      try line.netconv("verify", "out"), 65,
      "out/manifest.json: layer 'fc', tensor 'bias': file 'weights/fc_b.bin' is reached through a "
        + "symbolic link; copy the file itself there")
  }

  @Test("a manifest or model.json behind a symbolic link is not read")
  func linkedDocument() throws {
    let line = try converted()
    _ = try line.shell("mv out/manifest.json .; ln -s ../manifest.json out/manifest.json")
    expectError(
      try line.netconv("verify", "out"), 65,
      "out: file 'manifest.json' is reached through a symbolic link; copy the file itself there")
    // It is no file of netconv's either.
    expectError(
      try line.netconv("convert", "blobs", "out", "--force"), 73,
      "out: holds 'manifest.json', which netconv did not write; --force replaces only what netconv "
        + "wrote"
        + ", so move it away or choose another path")
    _ = try line.shell("mv blobs/model.json .; ln -s ../model.json blobs/model.json")
    expectError(
      try line.netconv("inspect", "blobs"), 65,
      "blobs: file 'model.json' is reached through a symbolic link; copy the file itself there")
  }

  @Test(
    "a manifest that was changed is refused",
    arguments: [
      (
        "\"version\": 1", "\"version\": 2",
        "version is 2, this netconv reads version 1; use the netconv that wrote it"
      ),
      ("netconv-manifest", "recipe", "format is 'recipe', expected 'netconv-manifest'"),
      (
        "\"length\": 28", "\"length\": \"28\"",
        "tensors[3].places.archive.length: is a string, expected a whole number"
      ),
      ("{", "", "is not JSON: found ': \"float', expected the end, in line 2, column 10"),
      (
        "\"units\": 7", "\"units\": 8",
        "is not the manifest.json that model.netpack holds; one of the two was changed, so convert "
          + "the model again"
      ),
    ])
  func changedManifest(find: String, replacement: String, message: String) throws {
    let line = try converted()
    try line.replace(find, with: replacement, in: "out/manifest.json")
    expectError(try line.netconv("verify", "out"), 65, "out/manifest.json: \(message)")
  }

  @Test(
    "without an archive, a manifest that contradicts itself or the blobs is refused",
    arguments: [
      (
        "\"units\": 7", "\"units\": 8",
        "out/manifest.json: layer 'fc', tensor 'kernel': shape is [7, 4, 4, 4], expected "
          + "[8, 4, 4, 4] (O, H, W, I); correct the layer or its weights"
      ),
      (
        "weights/fc_b.bin", "../fc_b.bin",
        "out/manifest.json: layer 'fc', tensor 'bias': file '../fc_b.bin' is not a tensor of the "
          + "manifest"
      ),
      (
        "\"length\": 28", "\"length\": 24",
        "out/weights/fc_b.bin: layer 'fc', tensor 'bias': holds 28 bytes, the manifest says 24; "
          + "convert the model again"
      ),
    ])
  func contradictions(find: String, replacement: String, message: String) throws {
    let line = try converted("--formats", "bin")
    try line.replace(find, with: replacement, in: "out/manifest.json")
    expectError(try line.netconv("verify", "out"), 65, message)
  }
}
