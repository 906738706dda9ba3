import Foundation
import TestSupport
import Testing

/// `netconv embed` as a build calls it.
@Suite struct EmbedCommandTests {
  private let line: CommandLine

  init() throws {
    line = try CommandLine()
    try line.folder.copy(
      Fixtures.sample("BuildPlugin/Sources/Digits/lenet.h5"), to: "lenet.h5")
  }

  private func embed(_ options: String, code: Bool = true) throws -> NetconvProcess.Result {
    try line.folder.write(options, to: "lenet.netconv.json")
    let arguments = ["embed", "lenet.h5", "--archive", "lenet.netpack"]
    return try NetconvProcess.run(
      arguments + ["--options", "lenet.netconv.json"]
        + (code ? ["--code", "lenet.netpack.swift"] : []),
      in: line.folder.path)
  }

  @Test func `without options it is the archive that convert writes, and no code`() throws {
    expectSuccess(try line.netconv("convert", "lenet.h5", "converted.netpack"))
    let result = try line.netconv(
      "embed", "lenet.h5", "--archive", "lenet.netpack", "--code", "lenet.swift")
    expectSuccess(result)
    #expect(result.output == "")
    #expect(try line.folder.bytes("lenet.netpack") == line.folder.bytes("converted.netpack"))
    #expect(
      String(decoding: try line.folder.bytes("lenet.swift"), as: UTF8.self)
        == "// netconv has made no code of lenet.h5: no language is named for it.\n")
    #expect(try line.names() == ["converted.netpack", "lenet.h5", "lenet.netpack", "lenet.swift"])
  }

  @Test func `the checkpoint of the sample is that of the raw blobs`() throws {
    expectSuccess(try line.netconv("diff", "--quiet", Fixtures.sample("lenet-blobs"), "lenet.h5"))
  }

  @Test func `options are those of convert`() throws {
    expectSuccess(
      try line.netconv(
        "convert", "lenet.h5", "converted.netpack", "--target", "torch", "--dtype", "float16",
        "--dtype", "fc*=bfloat16", "--fold-batch-norm"))
    expectSuccess(
      try embed(
        """
        {"$schema": "x", "target": "torch", "dtype": ["float16", "fc*=bfloat16"], "fold": true}
        """))
    #expect(try line.folder.bytes("lenet.netpack") == line.folder.bytes("converted.netpack"))
  }

  @Test func `with a language the code is that of the package, in one file`() throws {
    expectSuccess(try embed(#"{"language": "mpscnn", "dtype": "float32", "name": "Digits"}"#))
    expectSuccess(
      try line.netconv(
        "emit", "lenet.h5", "--language", "mpscnn", "--precision", "float32", "--name", "Digits",
        "--output", "package"))
    let code = String(decoding: try line.folder.bytes("lenet.netpack.swift"), as: UTF8.self)
    var declarations = 0
    // A build puts the archive where it likes.
    for name in try line.names(in: "package/Sources/Digits")
    where name.hasSuffix(".swift") && name != "DigitsResources.swift" {
      let path = "package/Sources/Digits/\(name)"
      let text = String(decoding: try line.folder.bytes(path), as: UTF8.self)
      // Imports stand at the top of the one file.
      let body =
        text.hasPrefix("import ")
        ? text[try #require(text.firstRange(of: "\n\n")).upperBound...] : text[...]
      #expect(code.contains(body), "\(name)")
      declarations += body.utf8.count
    }
    #expect(
      code.hasPrefix(
        """
        // swift-format-ignore-file
        // Made by netconv from lenet.h5, and made again when that changes.

        import CoreGraphics
        import CoreVideo
        import CryptoKit
        import Foundation
        import Metal
        import MetalPerformanceShaders

        /// The network lenet, as netconv has read it from lenet.h5.

        """))
    #expect(code.ranges(of: "\nimport ").count == 6)
    #expect(code.utf8.count < declarations + 300)
  }

  @Test func `an earlier output is replaced, and kept if the new one fails`() throws {
    expectSuccess(try embed("{}"))
    let archive = try line.folder.bytes("lenet.netpack")
    #expect(try embed(#"{"language": "mpscnn"}"#).status == 0)
    let code = try line.folder.bytes("lenet.netpack.swift")
    #expect(try line.folder.bytes("lenet.netpack") != archive)
    #expect(try embed(#"{"dtype": "float16", "fold": 1}"#).status == 65)
    #expect(try line.folder.bytes("lenet.netpack.swift") == code)
    #expect(
      try line.names() == [
        "lenet.h5", "lenet.netconv.json", "lenet.netpack", "lenet.netpack.swift",
      ])
  }

  @Test(arguments: [
    (#"{"langage": "mpscnn"}"#, "unknown key 'langage'; did you mean 'language'?"),
    (
      #"{"language": "metal"}"#,
      "language: there is no language 'metal' for builds; known are mpscnn, mpsgraph"
    ),
    (
      #"{"language": "dsl"}"#,
      "language: there is no language 'dsl' for builds; known are mpscnn, mpsgraph"
    ),
    (
      #"{"target": "tpu"}"#,
      "target: there is no target 'tpu'; known are mps, mpsgraph, mlx, torch, tensorflow, onnx, tflite, bnns, "
        + "coreml, ncnn, rtneural, tfjs, source"
    ),
    (
      #"{"target": "mps", "language": "mpscnn"}"#,
      "target: mpscnn has its own layouts; leave out the target, or the language"
    ),
    (
      #"{"dtype": "float8"}"#,
      "dtype: 'float8' is not a type; write float16, bfloat16, float32, int8, or PATTERN=TYPE"
    ),
    (#"{"dtype": 16}"#, "dtype: is a number, expected a string"),
    (#"{"dtype": ["float16", 16]}"#, "dtype[1]: is a number, expected a string"),
    (
      #"{"dtype": "bfloat16", "target": "onnx"}"#,
      "dtype: target onnx does not accept bfloat16 kernels; it accepts float32, float16, int8"
    ),
    (
      #"{"dtype": "float16", "language": "mpscnn", "name": "digits"}"#,
      "name: 'digits' is not a valid name of a Swift module; use letters, digits and _, and begin with a capital letter"
    ),
    (
      #"{"dtype": "fcx=float16"}"#,
      "the pattern 'fcx' of --dtype 'fcx=float16' matches no tensor; netconv inspect --tensors lists the layers, "
        + "and a manifest the tensors"
    ),
    (
      #"{"dtype": "int8", "language": "mpscnn"}"#,
      "dtype: code of mpscnn supports float16 or float32, the same for all kernels; name one of them"
    ),
    (
      #"{"name": "Digits"}"#, "name: no language is named, so there is no code to name"
    ),
    (#"{"fold": "yes"}"#, "fold: is a string, expected true or false"),
    (
      #"{"fold": true, "fold": false}"#,
      "is not JSON: the key 'fold' occurs twice, in line 1, column 29"
    ),
    ("[]", "is an array, expected an object"),
    ("", "is not JSON: the text ends, expected a value, in line 1, column 1"),
  ])
  func `wrong options name the file and the key`(_ options: String, _ message: String) throws {
    expectError(try embed(options), 65, "lenet.netconv.json: " + message)
    #expect(try line.names() == ["lenet.h5", "lenet.netconv.json"])
  }

  @Test func `code without a place, options that are not there, and an archive of another name`()
    throws
  {
    expectError(
      try embed(#"{"language": "mpscnn"}"#, code: false), 65,
      "lenet.netconv.json: language: code of mpscnn has no file here; name one with --code, or build it into "
        + "a Swift target")
    expectError(
      try line.netconv("embed", "lenet.h5", "--archive", "a.netpack", "--options", "none.json"), 66,
      "none.json: no such file or folder; check the path")
    expectError(
      try line.netconv("embed", "lenet.h5", "--archive", "a"), 64,
      "'a' is not a valid name for an archive; end it in .netpack")
    expectError(
      try line.netconv("embed", "none.h5", "--archive", "a.netpack"), 66,
      "none.h5: no such file or folder; check the path")
  }

  @Test func `the schema lists the targets and languages that there are`() throws {
    let schema = try jsonObject(
      Data(
        contentsOf: URL(filePath: Fixtures.repository + "/Schemas/embed-options.v1.schema.json")))
    let properties = try #require(schema["properties"] as? [String: [String: Any]])
    func list(_ key: String) -> String? {
      (properties[key]?["enum"] as? [String])?.joined(separator: ", ")
    }
    for key in ["target", "language"] {
      let result = try embed(#"{"\#(key)": "x"}"#)
      #expect(result.status == 65)
      let known = try #require(result.errors.split(separator: "known are ").last)
      #expect(list(key).map { $0 + "\n" } == String(known))
    }
  }
}
