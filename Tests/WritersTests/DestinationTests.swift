import Documents
import Files
import Foundation
import ModelIR
import Operators
import TestSupport
import Testing
import Writers

@Suite struct DestinationTests {
  private let folder: TemporaryFolder
  private var output: String { folder.file("out") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func problem(_ path: String, force: Bool = false) -> String? {
    let error = thrown { try Destination(path, force: force) }
    #expect(error == nil || error?.kind == .cannotCreate)
    return error?.description
  }

  @Test func `a free path is taken, an empty folder too`() throws {
    #expect(problem(output) == nil)
    #expect(problem(folder.file("x.netpack")) == nil)
    try Directory.create(output)
    #expect(problem(output) == nil)
    try write(smallModel(), to: output)
    #expect(try Directory.names(in: output) == ["manifest.json", "model.netpack", "weights"])
    #expect(try Directory.names(in: folder.path) == ["out"])
  }

  @Test func `slashes at the end do not count`() throws {
    let destination = try Destination(output + "//", force: false)
    #expect(destination.path == output)
    #expect(destination.container == nil)
    let containers: [(String, OutputFormat)] = [
      ("x.netpack", .archive), ("x.safetensors", .safetensors), ("x.npz", .npz),
    ]
    for (name, container) in containers {
      #expect(try Destination(folder.file(name), force: false).container == container)
    }
  }

  @Test func `what exists is refused without force`() throws {
    try write(smallModel(), to: output)
    #expect(
      problem(output)
        == "\(output): is a folder that is not empty; choose another path, or pass 'force' to "
        + "replace an earlier output")
    let archive = folder.file("x.netpack")
    try write(smallModel(), to: archive)
    #expect(
      problem(archive)
        == "\(archive): is a file; choose another path, or pass 'force' to replace an earlier "
        + "output")
  }

  @Test func `an earlier output is replaced with force`() throws {
    for name in ["out", "out.netpack"] {
      try write(smallModel(), to: folder.file(name))
      try write(smallModel(name: "other"), to: folder.file(name), force: true)
    }
    #expect(
      try folder.files() == [
        "out.netpack", "out/manifest.json", "out/model.netpack", "out/weights/other_W.bin",
        "out/weights/other_b.bin",
      ])
    try write(smallModel(), to: output, formats: [.archive], force: true)
    #expect(try Directory.names(in: output) == ["manifest.json", "model.netpack"])
  }

  @Test func `an output of a model without weights is replaced too`() throws {
    let model = try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape([2]))],
      layers: [LayerDefinition(name: "y", operation: Identity(), inputs: ["x"])], outputs: ["y"])
    try write(model, to: output)
    try write(model, to: output, force: true)
    #expect(try Directory.files(below: output) == ["manifest.json", "model.netpack", "weights/"])
  }

  @Test func `a folder with a foreign file is never replaced`() throws {
    try write(smallModel(), to: output)
    for name in ["notes.txt", "weights/notes.txt", ".hidden", "deep/er/file"] {
      try folder.write("mine", to: "out/\(name)")
      #expect(
        problem(output, force: true)
          == "\(output): holds '\(name)', which netconv did not write; 'force' replaces only what "
          + "netconv wrote"
          + ", so move it away or choose another path")
      Directory.remove(folder.file("out/" + name.split(separator: "/")[0]))
      if name.hasPrefix("weights") {
        Directory.remove(output)
        try write(smallModel(), to: output)
      }
    }
    #expect(problem(output, force: true) == nil)
    try Directory.create(folder.file("out/empty"))
    #expect(problem(output, force: true)?.contains("holds 'empty/'") == true)
  }

  @Test func `a link in an output is foreign`() throws {
    try write(smallModel(), to: output)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("out/link"), withDestinationPath: "/")
    #expect(problem(output, force: true)?.contains("holds 'link'") == true)
  }

  @Test func `a link in the place of a tensor is foreign`() throws {
    try write(smallModel(), to: output)
    let tensor = folder.file("out/weights/conv_W.bin")
    Directory.remove(tensor)
    try FileManager.default.createSymbolicLink(atPath: tensor, withDestinationPath: "/")
    #expect(problem(output, force: true)?.contains("holds 'weights/conv_W.bin'") == true)
  }

  @Test func `a folder without a manifest is not netconv's`() throws {
    try folder.write("mine", to: "out/b")
    try folder.write("mine", to: "out/a/c")
    #expect(
      problem(output, force: true)
        == "\(output): holds 'a/c', which netconv did not write; 'force' replaces only what netconv "
        + "wrote"
        + ", so move it away or choose another path")
    try folder.write("{}", to: "out/manifest.json")
    #expect(problem(output, force: true)?.contains("holds 'a/c'") == true)
  }

  @Test func `an archive that is not netconv's is never replaced`() throws {
    let path = try folder.write("mine", to: "x.netpack")
    #expect(
      problem(path, force: true)
        == "\(path): holds 'x.netpack', which netconv did not write; 'force' replaces only what "
        + "netconv wrote"
        + ", so move it away or choose another path")
    try write(smallModel(), to: output)
    let bytes = try folder.bytes("out/model.netpack")
    for damage in [bytes.dropLast(), bytes[...].dropFirst()] {
      try folder.write(damage, to: "x.netpack")
      #expect(problem(path, force: true) != nil)
    }
    try folder.write(bytes, to: "x.netpack")
    #expect(problem(path, force: true) == nil)
  }

  @Test(arguments: [false, true])
  func `other kinds of things are refused, with force too`(force: Bool) throws {
    let file = try folder.write("mine", to: "file")
    #expect(
      problem(file, force: force) == "\(file): is a file, expected a folder; choose another path")
    try Directory.create(folder.file("x.netpack"))
    #expect(
      problem(folder.file("x.netpack"), force: force)
        == "\(folder.file("x.netpack")): is a folder, expected an archive; choose another path")
    try FileManager.default.createSymbolicLink(
      atPath: output, withDestinationPath: folder.file("elsewhere"))
    #expect(
      problem(output, force: force)
        == "\(output): is a symbolic link, expected a path of its own; choose another path")
    #expect(
      problem("/dev/null", force: force)
        == "/dev/null: is neither a file nor a folder, expected a free path; choose another path")
  }

  @Test func `the folder around an output must exist`() throws {
    for name in ["no/out", "no/out.netpack"] {
      let error = thrown { try write(smallModel(), to: folder.file(name)) }
      #expect(error?.kind == .cannotCreate)
      #expect(
        error?.description
          == "\(folder.file("no")): the folder does not exist; create it first")
    }
  }
}
