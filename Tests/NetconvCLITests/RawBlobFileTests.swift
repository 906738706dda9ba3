import Foundation
import TestSupport
import Testing

@Suite("Raw blobs whose files are wrong")
struct RawBlobFileTests {
  private func line(_ find: String? = nil, _ replacement: String = "") throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    if let find { try line.replace(find, with: replacement, in: "blobs/model.json") }
    return line
  }

  @Test(
    "a blob of another size than its shape is refused",
    arguments: [
      ("conv_W.bin", 0, "layer 'conv', tensor 'kernel'", "192 ([4, 2, 3, 2] of float32)"),
      ("conv_W.bin", 188, "layer 'conv', tensor 'kernel'", "192 ([4, 2, 3, 2] of float32)"),
      ("conv_W.bin", 193, "layer 'conv', tensor 'kernel'", "192 ([4, 2, 3, 2] of float32)"),
      ("fc_W.bin", 1791, "layer 'fc', tensor 'kernel'", "1792 ([64, 7] of float32)"),
      (
        "fc_b.bin", 32, "layer 'fc', tensor 'bias'",
        "28 ([7] of float32); it would fit a layer with 8 outputs"
      ),
    ])
  func size(file: String, size: Int, place: String, expected: String) throws {
    let line = try line()
    try line.writeZeros(size, to: "blobs/" + file)
    expectError(
      try line.netconv("convert", "blobs", "out"), 65,
      "blobs/\(file): \(place): holds \(size) bytes, expected \(expected); correct the "
        + "layer, the type or the file")
    #expect(try line.names() == ["blobs"])
  }

  @Test(
    "a name that leaves the folder is refused",
    arguments: ["../fc_W.bin", "/etc/passwd", "sub/../../fc_W.bin", "./fc_W.bin", "", "sub//x"])
  func leavesFolder(name: String) throws {
    let line = try line("fc_W.bin", name)
    expectError(
      try line.netconv("convert", "blobs", "out"), 65,
      "blobs/model.json: layer 'fc', tensor 'kernel': file '\(name)' leaves the folder; name a file "
        + "in it, without '..' and without a leading '/'")
  }

  @Test("a blob behind a symbolic link is refused, also where the link is a folder")
  func symbolicLinks() throws {
    let line = try line()
    let manager = FileManager.default
    try manager.moveItem(
      atPath: line.folder.file("blobs/fc_W.bin"), toPath: line.folder.file("fc_W.bin"))
    try manager.createSymbolicLink(
      atPath: line.folder.file("blobs/fc_W.bin"), withDestinationPath: "../fc_W.bin")
    expectError(
      try line.netconv("convert", "blobs", "out"), 65,
      "blobs/model.json: layer 'fc', tensor 'kernel': file 'fc_W.bin' is reached through a symbolic "
        + "link; copy the file itself there")

    try manager.createSymbolicLink(
      atPath: line.folder.file("blobs/up"), withDestinationPath: "..")
    try line.replace("fc_W.bin", with: "up/fc_W.bin", in: "blobs/model.json")
    expectError(
      try line.netconv("convert", "blobs", "out"), 65,
      "blobs/model.json: layer 'fc', tensor 'kernel': file 'up/fc_W.bin' is reached through a "
        + "symbolic link; copy the file itself there")
  }

  @Test("a missing blob, or something else in its place, exits with 66")
  func cannotOpen() throws {
    let line = try line()
    let path = line.folder.file("blobs/fc_b.bin")
    try FileManager.default.removeItem(atPath: path)
    expectError(
      try line.netconv("convert", "blobs", "out"), 66,
      "blobs/fc_b.bin: layer 'fc', tensor 'bias': no such file or folder; check the path")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    expectError(
      try line.netconv("convert", "blobs", "out"), 66,
      "blobs/fc_b.bin: layer 'fc', tensor 'bias': is a folder, expected a file")
    try FileManager.default.removeItem(atPath: path)
    expectError(
      try line.shell(#"mkfifo blobs/fc_b.bin; exec "$@""#, "convert", "blobs", "out"), 66,
      "blobs/fc_b.bin: layer 'fc', tensor 'bias': is not a regular file")
  }

  @Test(
    "an offset that leaves too few bytes is refused",
    arguments: [
      ("-4", "offset -4 is outside the file, which holds 1792 bytes"),
      ("1796", "offset 1796 is outside the file, which holds 1792 bytes"),
      (
        "9223372036854775807",
        "offset 9223372036854775807 is outside the file, which holds 1792 bytes"
      ),
      (
        "4",
        "holds 1788 bytes from its offset on, expected at least 1792 ([64, 7] of float32); correct "
          + "the layer, the type or the file"
      ),
      (
        "1792",
        "holds 0 bytes from its offset on, expected at least 1792 ([64, 7] of float32); correct "
          + "the layer, the type or the file"
      ),
    ])
  func offset(offset: String, message: String) throws {
    let line = try line(#""file": "fc_W.bin""#, #""file": "fc_W.bin", "offset": \#(offset)"#)
    expectError(
      try line.netconv("convert", "blobs", "out"), 65,
      "blobs/fc_W.bin: layer 'fc', tensor 'kernel': " + message)
  }

  @Test("a layer that shares parameters must name the same values, or they would be lost")
  func sharing() throws {
    let shared = #"{"name": "fc", "sharesParametersOf": "conv", "operator""#
    let line = try line(#"{"name": "fc", "operator""#, shared)
    expectError(
      try line.netconv("convert", "blobs", "out"), 65,
      "blobs/model.json: layer 'fc', tensor 'kernel': names the file 'fc_W.bin', but "
        + "sharesParametersOf says that it is that of 'conv', 'conv_W.bin'; name the same file, or "
        + "remove sharesParametersOf")
  }
}
