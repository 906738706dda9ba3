import Foundation
import TestSupport
import Testing

/// Formats that netconv does not read: the message names them and an alternative.
@Suite("Formats that are known and not read")
struct ForeignFormatTests {
  private static let arrays =
    "save its arrays with numpy.savez beside a model.json that describes the network, and name that folder"
  private static let fromAny =
    "convert what it was made from: PyTorch's state dictionary as torch.save writes it, the Keras model or the "
    + "SavedModel; or " + arrays
  private static let fromGGML =
    "llama.cpp's convert_llama_ggml_to_gguf.py makes GGUF of a LLaMA model, which netconv reads; of any other take the "
    + "safetensors or PyTorch file that it was made from, which --weights-only converts"
  private static let unread = ", which netconv does not read; "

  private static let values =
    "is a file of values of a TensorFlow checkpoint, whose index is not beside it; copy NAME.index and all files "
    + "NAME.data-… to one folder, and name the index"
  private static let graphText =
    "is a TensorFlow graph as text" + unread
    + "write it again in binary: tf.io.write_graph(graph, \"DIR\", \"graph.pb\", as_text=False)"

  /// Files that a library wrote, with their messages.
  static let made = [
    ("checkpoint/ckpt-1.data-00000-of-00001", values), ("frozen.pbtxt", graphText),
  ]

  @Test("what TensorFlow writes", arguments: made)
  func files(fixture: String, message: String) throws {
    let line = try CommandLine()
    let name = (fixture as NSString).lastPathComponent
    try line.folder.copy(Fixtures.path("foreign/" + fixture), to: name)
    expectError(try line.netconv("convert", name, "out"), 65, "\(name): \(message)")
    #expect(try line.names() == [name])
    guard !name.contains(".data-") else { return }
    // Contents count, not names.
    try line.folder.copy(Fixtures.path("foreign/" + fixture), to: "model.h5")
    expectError(try line.netconv("inspect", "model.h5"), 65, "model.h5: \(message)")
  }

  private static func json(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The least that a file of each format can be, by its specification.
  static let written: [(String, [UInt8], String)] = [
    (
      // A FlatBuffer with the identifier of ONNX Runtime.
      "model.ort", [20, 0, 0, 0] + json("ORTM") + [UInt8](repeating: 0, count: 16),
      "is a model of ONNX Runtime" + unread + "convert the ONNX model that it was made from"
    ),
    (
      "model.bin", json("fmgg") + [UInt8](repeating: 0, count: 20),
      "is a GGML file from before GGUF" + unread + fromGGML
    ),
    (
      "graph.json", json(#"{ "format" : "graph-model", "modelTopology": {}}"#),
      "is a TensorFlow.js graph model" + unread
        + "convert what it was made from: the SavedModel, the frozen graph or the Keras model"
    ),
    (
      "net.json", json(#"{"module": "keras", "class_name": "Sequential", "config": {}}"#),
      "is the architecture of a Keras model, which has no weights; name the file with the weights, and "
        + "this one with --model"
    ),
    (
      "blobs.json", json(#"{"format": "netconv-model", "version": 1}"#),
      "is the description of a network, whose weights lie beside it; name the folder that it is in"
    ),
    (
      "manifest.json", json(#"{"format": "netconv-manifest", "version": 1}"#),
      "is the manifest of a conversion, whose weights lie beside it; name the folder that it is in"
    ),
    (
      "photo.h5", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13],
      "is an image" + unread
        + "name the network first; netconv run takes pictures behind it, and verify a folder of them "
        + "with --images"
    ),
    (
      "page.h5", json("\n<!DOCTYPE html>\n<html lang=\"en\">"),
      "is a web page" + unread + "download the file itself, not the page about it"
    ),
    (
      "answer.h5", json("<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>"),
      "is an XML document" + unread
        + "it may be a server's answer to a download; read it, and download the file again"
    ),
    (
      "pointer.h5",
      json("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"),
      "is a pointer of Git LFS" + unread + "fetch the file that it stands for with git lfs pull"
    ),
    ("empty.h5", [], "is an empty file" + unread + "copy or download it again"),
    (
      "old.pth", json("storages") + [UInt8](repeating: 0, count: 249) + json("ustar"),
      "is a PyTorch file from before version 0.1.10" + unread
        + "load it with torch.load, and save it again with torch.save"
    ),
    (
      "model.tar", [UInt8](repeating: 0x61, count: 257) + json("ustar"),
      "is a packed file" + unread + "unpack it, and name the model that comes out"
    ),
  ]

  @Test("what else people try, by the first bytes", arguments: written.indices)
  func beginnings(index: Int) throws {
    let (name, bytes, message) = Self.written[index]
    let line = try CommandLine()
    try line.folder.write(bytes, to: name)
    expectError(try line.netconv("inspect", name), 65, "\(name): \(message)")
  }

  /// File names in an archive, with the message for it.
  static let archives = [
    (
      ["net/model.json", "net/tensors/0", "net/attributes.pkl"],
      "is a TorchScript archive from before PyTorch 1.4" + unread
        + "load it with torch.jit.load, and save it again with torch.jit.save"
    ),
    (
      ["readme.txt", "model/lenet.h5"],
      "is a ZIP archive with a model in it" + unread
        + "unpack it, and name the model that comes out"
    ),
  ]

  @Test("archives, by their entries", arguments: archives)
  func entries(names: [String], message: String) throws {
    let line = try CommandLine()
    try line.folder.write(emptyArchive(names), to: "model.keras")
    expectError(try line.netconv("inspect", "model.keras"), 65, "model.keras: \(message)")
  }

  /// File names in a folder, with the message for it.
  static let folders = [
    (
      ["coremldata.bin", "metadata.json"],
      "is a compiled Core ML model" + unread
        + "name the package or the .mlmodel that it was made from"
    ),
    (
      ["lenet.h5", "notes.txt"],
      "is a folder with models in it, of which netconv reads one at a time; name one of them, or convert "
        + "several with --into"
    ),
  ]

  @Test("folders, by what is in them", arguments: folders)
  func names(names: [String], message: String) throws {
    let line = try CommandLine()
    for name in names { try line.folder.write("x", to: "folder/" + name) }
    expectError(try line.netconv("inspect", "folder"), 65, "folder: \(message)")
  }

  @Test("a folder of TensorFlow.js is not taken for one of raw values")
  func folderOfTensorFlowJS() throws {
    let line = try CommandLine()
    try line.folder.write(
      #"{"format": "layers-model", "modelTopology": {}, "weightsManifest": 1}"#, to: "js/model.json"
    )
    expectError(
      try line.netconv("inspect", "js"), 65,
      "js: 'weightsManifest' is not as TensorFlow.js writes it; write the model again")
  }

  @Test("an HDF5 file packed with gzip is told from other packed files")
  func packed() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/keras2-reshape-dense.h5"), to: "m.h5")
    try line.folder.write("hello", to: "notes.txt")
    _ = try line.shell("gzip m.h5 notes.txt && exec \"$@\"", "--version")
    expectError(
      try line.netconv("inspect", "m.h5.gz"), 65,
      "m.h5.gz: is an HDF5 file packed with gzip" + Self.unread
        + "unpack it with gunzip, and name what comes out")
    expectError(
      try line.netconv("inspect", "notes.txt.gz"), 65,
      "notes.txt.gz: is a packed file" + Self.unread
        + "unpack it, and name the model that comes out")
  }

  @Test("no file that netconv reads is taken for another")
  func falseAlarms() throws {
    let folder = Fixtures.path("keras")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    for name in names where name.hasSuffix(".h5") || name.hasSuffix(".keras") {
      let result = try NetconvProcess.run(["inspect", name], in: folder)
      #expect(!result.errors.contains("which netconv does not read"), "\(name): \(result.errors)")
    }
    for sample in ["lenet-blobs", "deep-mnist/deep-mnist.h5"] {
      expectSuccess(try NetconvProcess.run(["inspect", Fixtures.sample(sample)], in: folder))
    }
  }
}

/// A ZIP archive whose entries have these names and no bytes.
private func emptyArchive(_ names: [String]) -> [UInt8] {
  func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
  var bytes: [UInt8] = []
  var directory: [UInt8] = []
  for name in names {
    let offset = bytes.count
    let common =
      little(20, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(0, 4) + little(0, 4)
      + little(0, 4) + little(name.utf8.count, 2) + little(0, 2)
    bytes += [0x50, 0x4b, 3, 4] + common + Array(name.utf8)
    directory += [0x50, 0x4b, 1, 2] + little(20, 2) + common
    directory += little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(offset, 4)
    directory += Array(name.utf8)
  }
  let start = bytes.count
  bytes += directory + [0x50, 0x4b, 5, 6] + little(0, 4)
  bytes += little(names.count, 2) + little(names.count, 2)
  return bytes + little(directory.count, 4) + little(start, 4) + little(0, 2)
}
