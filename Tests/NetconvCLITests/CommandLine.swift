import Datasets
import Files
import Foundation
import ModelIR
import TestSupport
import Testing

/// A folder to work in, and the program run in it: paths in messages are then short.
struct CommandLine {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs the program to its end.
  func netconv(
    _ arguments: String..., wrapper: [String] = [], environment: [String: String] = [:]
  ) throws -> NetconvProcess.Result {
    try netconv(arguments, wrapper: wrapper, environment: environment)
  }

  /// Runs the program in the folder.
  func netconv(
    _ arguments: [String], wrapper: [String] = [], environment: [String: String] = [:]
  ) throws -> NetconvProcess.Result {
    try NetconvProcess.run(
      arguments, environment: environment, in: folder.path, wrapper: wrapper)
  }

  /// Runs the program in a shell command, in which `"$@"` is the program and its arguments.
  func shell(_ line: String, _ arguments: String...) throws -> NetconvProcess.Result {
    try NetconvProcess.run(arguments, in: folder.path, wrapper: ["/bin/sh", "-c", line, "sh"])
  }

  /// The names in the folder or a subfolder, including hidden ones.
  func names(in name: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.file(name)).sorted()
  }

  /// Every file below `name` with its bytes.
  func contents(of name: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for file in try folder.files() where file.hasPrefix(name + "/") {
      contents[String(file.dropFirst(name.count + 1))] = Data(try folder.bytes(file))
    }
    return contents
  }

  /// Writes a sparse file of `count` zero bytes.
  func writeZeros(_ count: Int, to name: String) throws {
    try folder.write([], to: name)
    let file = try #require(FileHandle(forWritingAtPath: folder.file(name)))
    try file.truncate(atOffset: UInt64(count))
    try file.close()
  }

  /// Inverts one bit of the byte at `offset`, counted from the end if negative.
  func flip(_ name: String, at offset: Int) throws {
    var bytes = try folder.bytes(name)
    bytes[offset < 0 ? bytes.count + offset : offset] ^= 1
    try folder.write(bytes, to: name)
  }

  /// Replaces the first occurrence of `text` in a file; it must be there.
  func replace(_ text: String, with other: String, in name: String) throws {
    let old = String(decoding: try folder.bytes(name), as: UTF8.self)
    try #require(old.contains(text), "\(name) does not contain \(text)")
    var new = old.replacing(text, with: other, maxReplacements: 1)
    // Another manifest has another checksum; without one it is read.
    if name.hasSuffix("manifest.json") {
      new = new.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("  \"sha256\": ") }.joined(separator: "\n")
    }
    try folder.write(new, to: name)
  }
}

/// Expects a failed run: the exit code, empty standard output, and exactly this standard error.
func expectError(
  _ result: NetconvProcess.Result, _ status: Int32, _ text: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(result.errors == "netconv: error: \(text)\n", sourceLocation: sourceLocation)
  #expect(result.output == "", sourceLocation: sourceLocation)
  #expect(result.status == ExitCode(status), sourceLocation: sourceLocation)
}

/// Expects a successful run.
func expectSuccess(
  _ result: NetconvProcess.Result, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(result.errors == "", sourceLocation: sourceLocation)
  #expect(result.status == 0, sourceLocation: sourceLocation)
}

/// A JSON document's object; fails if the text is anything else.
func jsonObject(
  _ text: some Sequence<UInt8>, sourceLocation: SourceLocation = #_sourceLocation
) throws -> [String: Any] {
  let value = try JSONSerialization.jsonObject(with: Data(text))
  return try #require(value as? [String: Any], sourceLocation: sourceLocation)
}

/// The formats that an unknown file is told of.
let knownFormats = """

    a Keras checkpoint in HDF5 (.h5, .hdf5)
    a Keras 3 archive (.keras), or its folder
    a PyTorch file (.pt, .pth, .bin, .ckpt)
    arrays of NumPy (.npz, .npy)
    a folder that netconv wrote, with manifest.json
    a .netpack archive
    a TensorFlow.js layers model (model.json)
    a folder of raw values with model.json
    a TensorFlow checkpoint (.index, or its folder)
    an ONNX model (.onnx)
    a TensorFlow Lite model (.tflite)
    a Core ML model (.mlpackage, .mlmodel)
    a frozen TensorFlow graph (.pb)
    a TensorFlow graph beside its checkpoint (.meta)
    a TensorFlow SavedModel (its folder)
    a folder with an adapter of PEFT (adapter_config.json)
    a .safetensors file
    a GGUF file (.gguf)
    weights of Keras 3 in several files (.weights.json)
    weights in several files (.index.json)
    a Python pickle of NumPy arrays (.pkl)
    RTNeural's JSON (.json)
    a model of Neural Amp Modeler (.nam)
  """

/// True if the tests run as root, for whom no file is protected.
let isRoot = getuid() == 0

/// The wrapper that runs the program as an unprivileged user; `nil` if that is impossible.
let unprivileged: [String]? = {
  guard isRoot else { return [] }
  let wrapper = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
  let trial = try? NetconvProcess.run(["--version"], wrapper: wrapper)
  return trial?.status == 0 ? wrapper : nil
}()

/// The bytes of an `.npy` file, version 1.0.
func npy(_ type: String, _ shape: String, _ values: [UInt8]) -> [UInt8] {
  let header = "{'descr': '\(type)', 'fortran_order': False, 'shape': \(shape), }\n"
  return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8)
    + values
}

/// Writes arrays as `.npz`.
func writeArchive(_ arrays: [(name: String, array: NDArray<Float>)], to path: String) throws {
  try? FileManager.default.removeItem(atPath: path)
  try NumpyArchive.write(arrays, to: OutputFile(creating: path))
}
