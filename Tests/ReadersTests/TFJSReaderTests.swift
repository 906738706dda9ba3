import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// A TensorFlow.js layers model in two shards, the first of which ends inside a number.
@Suite("TensorFlow.js's layers models")
struct TFJSReaderTests {
  private static let document = """
    {"format": "layers-model", "modelTopology": {"keras_version": "2.15.0", "backend": "tensorflow", "model_config":
     {"class_name": "Sequential", "config": {"name": "s", "layers": [
      {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 3], "name": "x"}},
      {"class_name": "Dense", "config": {"name": "fc", "units": 2, "activation": "linear", "use_bias": true}}]}}},
     "weightsManifest": [{"paths": ["a.bin", "b.bin"], "weights": [
      {"name": "fc/kernel", "shape": [3, 2], "dtype": "float32"}, {"name": "fc/bias", "shape": [2], "dtype": "float32"}]}]}
    """
  private static let values = littleEndian([1, 2, 3, 4, 5, 6, 7, 8])

  /// The folder `js` with the document, in which the first `old` is `new`.
  private func folder(
    replacing old: String = "", with new: String = "", values: [UInt8] = values
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var text = Self.document
    if !old.isEmpty {
      let range = try #require(text.firstRange(of: old), "\(old)")
      text.replaceSubrange(range, with: new)
    }
    try folder.write(text, to: "js/model.json")
    try folder.write(values.prefix(10), to: "js/a.bin")
    try folder.write(values.dropFirst(10), to: "js/b.bin")
    return folder
  }

  /// The error of the reader, with paths relative to the folder.
  private func refusal(_ folder: TemporaryFolder, _ kind: NetconvError.Kind = .badData) throws
    -> String
  {
    let error = try #require(thrown { try ReaderRegistry.read(folder.file("js")) })
    #expect(error.kind == kind)
    return error.description.replacing(folder.path + "/", with: "")
  }

  @Test(
    "arrays lie one behind the other, over the borders of shards", arguments: ["", "/model.json"])
  func shards(file: String) throws {
    let source = try ReaderRegistry.read(try folder().file("js" + file))
    #expect(source.format == "tfjs-layers" && source.framework == "keras 2.15.0")
    #expect(try source.model.tensors.map { try $0.values() } == [[1, 2, 3, 4, 5, 6], [7, 8]])
  }

  @Test("groups have shards of their own")
  func groups() throws {
    let folder = try folder(
      replacing: #""b.bin"], "weights": ["#,
      with: #""b.bin"], "weights": []}, {"paths": ["c.bin"], "weights": ["#)
    try folder.write("", to: "js/a.bin")
    try folder.write("", to: "js/b.bin")
    try folder.write(Self.values, to: "js/c.bin")
    let source = try ReaderRegistry.read(folder.file("js"))
    #expect(try source.model.tensors.map { try $0.values() } == [[1, 2, 3, 4, 5, 6], [7, 8]])
  }

  @Test(
    "integers are multiplied by the scale, and the minimum is added; halves are widened",
    arguments: [
      (#"{"dtype": "uint8", "scale": 0.5, "min": -3}"#, [0, 1, 2, 255, 128, 10] as [UInt8]),
      (
        #"{"dtype": "uint16", "scale": 0.5, "min": -3}"#,
        [0, 0, 1, 0, 2, 0, 255, 0, 128, 0, 10, 0]
      ),
      (
        // -3, -2.5, -2, 124.5, 61 and 2 in binary16.
        #"{"dtype": "float16", "original_dtype": "float32"}"#,
        [0x00, 0xc2, 0x00, 0xc1, 0x00, 0xc0, 0xc8, 0x57, 0xa0, 0x53, 0x00, 0x40]
      ),
    ])
  func quantized(entry: String, bytes: [UInt8]) throws {
    let old = #""shape": [3, 2], "dtype": "float32""#
    let folder = try folder(
      replacing: old, with: old + #", "quantization": "# + entry,
      values: bytes + littleEndian([7, 8]))
    let source = try ReaderRegistry.read(folder.file("js"))
    #expect(
      try source.model.tensors.map { try $0.values() } == [[-3, -2.5, -2, 124.5, 61, 2], [7, 8]])
  }

  @Test("whole numbers of 32 bits stay what they are")
  func wholeNumbers() throws {
    let old = #""shape": [2], "dtype": "#
    let folder = try folder(
      replacing: old + #""float32""#, with: old + #""int32""#,
      values: Self.values.prefix(24) + [7, 0, 0, 0, 0xff, 0xff, 0xff, 0xff])
    #expect(try ReaderRegistry.read(folder.file("js")).model.tensors[1].values() == [7, -1])
  }

  @Test("shards that end too early, are too long or are not there")
  func sizes() throws {
    let wrong =
      "js/b.bin: the shards have SIZE bytes, but the arrays of model.json need 32; copy all files again"
    for length in 0..<22 {
      let short = try folder()
      try short.write(Self.values.dropFirst(10).prefix(length), to: "js/b.bin")
      #expect(try refusal(short) == wrong.replacing("SIZE", with: "\(10 + length)"))
    }
    let long = try folder()
    try long.write(Self.values.dropFirst(10) + [0], to: "js/b.bin")
    #expect(try refusal(long) == wrong.replacing("SIZE", with: "33"))
    let empty = try TemporaryFolder()
    try empty.write(Self.document, to: "js/model.json")
    try empty.write(Self.values.prefix(10), to: "js/a.bin")
    #expect(
      try refusal(empty, .cannotOpen) == "js/b.bin: no such file or folder; check the path")
  }

  @Test(
    "names of shards that are no files of the folder",
    arguments: [
      ("../b.bin", "../b.bin"), ("/tmp/b.bin", "/tmp/b.bin"), ("", ""), ("./b.bin", "./b.bin"),
      ("x//b.bin", "x//b.bin"), (#"b\u0000.bin"#, #"b\u{0}.bin"#),
    ])
  func leaving(path: String, quoted: String) throws {
    #expect(
      try refusal(folder(replacing: #""b.bin"]"#, with: "\"\(path)\"]"))
        == "js: file '\(quoted)' leaves the folder; name a file in it, without '..' and without a leading '/'"
    )
  }

  @Test("a shard that is a link is not followed")
  func link() throws {
    let folder = try folder()
    try FileManager.default.removeItem(atPath: folder.file("js/b.bin"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("js/b.bin"), withDestinationPath: folder.file("js/a.bin"))
    #expect(
      try refusal(folder)
        == "js: file 'b.bin' is reached through a symbolic link; copy the file itself there")
  }

  private static let types =
    ", expected float32, int32, float16, uint8 or uint16; write it without quantization"
  private static let bias = #""shape": [2], "dtype": "float32""#

  @Test(
    "what the list says and cannot be",
    arguments: [
      (
        #""b.bin"]"#, "7]",
        "js: 'weightsManifest[0].paths' is not as TensorFlow.js writes it; write the model again"
      ),
      (
        #""paths": ["a.bin", "b.bin"], "#, "",
        "js: 'weightsManifest[0]' is not as TensorFlow.js writes it; write the model again"
      ),
      (
        #""weightsManifest": ["#, #""weightsManifest": [7, "#,
        "js: 'weightsManifest[0]' is not as TensorFlow.js writes it; write the model again"
      ),
      (
        #""fc/bias""#, "7",
        "js: 'weightsManifest[0].weights[1]' is not as TensorFlow.js writes it; write the model again"
      ),
      (
        #""fc/bias""#, #""fc/kernel""#,
        "js: tensor 'fc/kernel': occurs twice in 'weightsManifest'; each array needs a unique name"
      ),
      (
        #""fc/bias""#, #""../x""#,
        "js: layer 'fc': the weight 'bias' is missing; the file holds 'kernel'"
      ),
      (
        #""fc/bias""#, #""""#,
        "js: layer 'fc': the weight 'bias' is missing; the file holds 'kernel'"
      ),
      (
        #""fc/bias""#, #""/fc/bias""#,
        "js: layer 'fc': the weight 'bias' is missing; the file holds 'kernel'"
      ),
      (
        #""fc/bias""#, #""fc/bias\u0000""#,
        #"js: layer 'fc': the weight 'bias' is missing; the file holds 'kernel', 'bias\u{0}'"#
      ),
      (
        bias, #""shape": [2], "dtype": "bfloat16""#,
        "js: tensor 'fc/bias': values are stored as 'bfloat16'" + types
      ),
      (bias, #""shape": [2]"#, "js: tensor 'fc/bias': values are stored as ''" + types),
      (
        bias, bias + #", "quantization": {"dtype": "uint4", "scale": 1, "min": 0}"#,
        "js: tensor 'fc/bias': values are stored as 'uint4'" + types
      ),
      (
        bias,
        #""shape": [2], "dtype": "int32", "quantization": {"dtype": "uint8", "scale": 1, "min": 0}"#,
        "js: tensor 'fc/bias': values are stored as 'int32'" + types
      ),
      (
        bias, bias + #", "quantization": {"dtype": "uint8", "scale": 0.5}"#,
        "js: tensor 'fc/bias': 'quantization' has no finite 'scale' and 'min'; write the model again"
      ),
      (
        bias, bias + #", "quantization": {"dtype": "uint8", "scale": 1e999, "min": 0}"#,
        "js: tensor 'fc/bias': 'quantization' has no finite 'scale' and 'min'; write the model again"
      ),
      (
        bias, #""shape": [-2], "dtype": "float32""#,
        "js: tensor 'fc/bias': the shape is not a list of valid sizes; write the model again"
      ),
      (
        bias, #""shape": [4611686018427387904, 4], "dtype": "float32""#,
        "js: tensor 'fc/bias': sizes [4611686018427387904, 4] are negative or multiply to more than this machine can "
          + "count; the file is damaged or invalid"
      ),
      (
        bias, #""shape": [1, 2], "dtype": "float32""#,
        "js: layer 'fc', tensor 'bias': shape [1, 2] has rank 2, expected rank 1: [2] (O); correct the "
          + "layer or its weights"
      ),
      (
        #""modelTopology""#, #""weightsManifest": [], "modelTopology""#,
        "js: is not JSON: the key 'weightsManifest' occurs twice, in line 6, column 119"
      ),
      (
        #"{"class_name": "Dense", "config": {"name": "fc", "#,
        #"{"class_name": "UpSampling2D", "config": {"name": "fc", "interpolation": "bilinear", "#,
        "js: layer 'fc': TensorFlow.js up-samples from the corners of pixels here, which netconv does not compute as "
          + "it does"
      ),
      (
        #"{"class_name": "Dense", "config": {"name": "fc", "#,
        #"{"class_name": "DepthwiseConv2D", "config": {"name": "fc", "dilation_rate": 2, "#,
        "js: layer 'fc': TensorFlow.js passes over the dilation here, which netconv does not compute as it does"
      ),
    ])
  func list(old: String, new: String, message: String) throws {
    #expect(try refusal(folder(replacing: old, with: new)) == message)
  }
}
