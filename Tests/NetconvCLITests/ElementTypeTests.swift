import Foundation
import TestSupport
import Testing

@Suite("The types that tensors are written in")
struct ElementTypeTests {
  private func tiny() throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    return line
  }

  /// The type of each tensor of a converted folder, by name.
  private func types(_ line: CommandLine, _ folder: String = "out") throws -> [String: String] {
    let manifest = try jsonObject(try line.folder.bytes(folder + "/manifest.json"))
    let tensors = try #require(manifest["tensors"] as? [[String: Any]])
    return try Dictionary(
      uniqueKeysWithValues: tensors.map {
        (try #require($0["name"] as? String), try #require($0["dtype"] as? String))
      })
  }

  @Test(
    "the last rule that names a tensor counts, by its layer or by its name in the manifest",
    arguments: [
      ("float16", "float16", "float16", "float16"),
      ("fc=float16", "float32", "float16", "float32"),
      ("float16 fc*=bfloat16", "float16", "bfloat16", "float16"),
      ("*=int8 conv=float16", "float16", "int8", "float32"),
      ("conv=float16 *=int8", "int8", "int8", "float32"),
      ("conv=float16 bfloat16", "bfloat16", "bfloat16", "bfloat16"),
      ("f?_W=int8", "float32", "int8", "float32"),
      ("?onv_*=bfloat16 c*v=float16 float32 fc_W=float16", "float32", "float16", "float32"),
      ("fc_b=float16", "float32", "float32", "float32"),
    ])
  func rules(dtypes: String, conv: String, fc: String, top: String) throws {
    let line = try tiny()
    let options = dtypes.split(separator: " ").flatMap { ["--dtype", String($0)] }
    let result = try NetconvProcess.run(
      ["convert", "blobs", "out", "--target", "source", "--quiet"] + options, in: line.folder.path)
    expectSuccess(result)
    let found = try types(line)
    #expect(found["conv_W"] == conv)
    #expect(found["fc_W"] == fc)
    #expect(found["conv_b"] == "float32" && found["fc_b"] == "float32")
    #expect(found["fc_W_scale"] == (fc == "int8" ? "float32" : nil))
    let manifest = try jsonObject(try line.folder.bytes("out/manifest.json"))
    #expect(manifest["dtype"] as? String == top)
  }

  @Test("a pattern that matches no tensor is named")
  func nothing() throws {
    let line = try tiny()
    expectError(
      try line.netconv(
        "convert", "blobs", "out", "--dtype", "fc=float16", "--dtype", "flatten=float16"), 64,
      "blobs: the pattern 'flatten' of --dtype 'flatten=float16' matches no tensor; netconv inspect "
        + "--tensors lists the layers, and a manifest the tensors")
    #expect(try line.names() == ["blobs"])
  }

  @Test("mps refuses what its kernels cannot be", arguments: ["bfloat16", "int8", "fc=int8"])
  func target(dtype: String) throws {
    let line = try tiny()
    expectError(
      try line.netconv("convert", "blobs", "out", "--dtype", dtype), 64,
      "target mps does not accept \(dtype.replacing("fc=", with: "")) kernels; it accepts float32, float16"
    )
  }

  @Test("what was rounded is said")
  func summary() throws {
    let line = try tiny()
    let result = try line.netconv(
      "convert", "blobs", "out", "--target", "source", "--dtype", "int8", "--dtype",
      "conv=bfloat16")
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        "; each read back and equal to the source rounded to bfloat16 and int8\n"))
    #expect(
      result.output.contains(
        "  fc_W_scale  O       (7)           O        (7)           float32    28 B\n"))
  }

  // MARK: - int8

  private static let kernels = Fixtures.path("precision/kernels")

  /// The oracle are Python's fractions: `Tests/Fixtures/precision/make_precision.py`.
  @Test("int8 of every kind of kernel and many layouts is what fractions give")
  func integers() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Self.kernels, "out", "--target", "source", "--dtype", "int8", "--quiet"))
    let expected = try FileManager.default.contentsOfDirectory(
      atPath: Self.kernels + "/expected")
    #expect(expected.count == 22)
    #expect(try line.names(in: "out/weights") == expected.sorted())
    for name in expected {
      let bytes = try Data(contentsOf: URL(filePath: "\(Self.kernels)/expected/\(name)"))
      #expect(Data(try line.folder.bytes("out/weights/" + name)) == bytes, "\(name)")
    }
  }

  @Test(
    "a converted output converted again gives every file again, folder and archive",
    arguments: ["int8", "bfloat16"])
  func again(dtype: String) throws {
    let line = try CommandLine()
    let sources =
      [
        "keras2-conv-same", "keras3-batch-norm", "keras2-shared-layer", "keras3-shared-flatten",
      ].map { (Fixtures.path("keras/\($0).h5"), []) }
      + (dtype == "int8" ? [(Self.kernels, [])] : []) + [
        (Fixtures.path("keras/keras2-conv-same.h5"), ["--weights-only"])
      ]
    for (index, (source, options)) in sources.enumerated() {
      let common = ["--target", "source", "--dtype", dtype, "--quiet", "--force"] + options
      let first = "first\(index)"
      expectSuccess(
        try NetconvProcess.run(["convert", source, first] + common, in: line.folder.path))
      for again in [first, first + "/model.netpack"] {
        expectSuccess(
          try NetconvProcess.run(["convert", again, "second"] + common, in: line.folder.path))
        #expect(
          try line.contents(of: "second/weights") == line.contents(of: first + "/weights"),
          "\(source)")
      }
    }
  }

  @Test(
    "every container holds integers with their scales, and is read alone",
    arguments: [
      "weights", "model.netpack", "model.safetensors", "model.npz",
    ])
  func containers(container: String) throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Self.kernels, "out", "--target", "source", "--dtype", "int8", "--quiet",
        "--formats", "bin,archive,safetensors,npz"))
    let written = try line.contents(of: "out/weights")
    for other in ["weights", "model.netpack", "model.safetensors", "model.npz"]
    where other != container {
      try FileManager.default.removeItem(atPath: line.folder.file("out/" + other))
    }
    let sources =
      [["out"]]
      + (container == "model.safetensors" ? [["out/" + container, "--weights-only"]] : [])
    for source in sources {
      expectSuccess(
        try NetconvProcess.run(
          ["convert", source[0], "again", "--target", "source", "--dtype", "int8", "--quiet"]
            + ["--formats", "bin", "--force"] + source.dropFirst(), in: line.folder.path))
      #expect(try line.contents(of: "again/weights") == written)
    }
  }

  @Test("bfloat16 has no place in .npz")
  func numpy() throws {
    let line = try tiny()
    expectError(
      try line.netconv(
        "convert", "blobs", "out", "--target", "tensorflow", "--dtype", "bfloat16"), 64,
      "blobs: NumPy has no type for bfloat16, so npz cannot hold it; write another format")
    #expect(try line.names() == ["blobs"])
    expectSuccess(
      try line.netconv(
        "convert", "blobs", "out", "--target", "tensorflow", "--dtype", "bfloat16", "--formats",
        "safetensors", "--quiet"))
    #expect(try types(line)["conv/kernel"] == "bfloat16")
  }

  @Test("memory does not change what is written")
  func memory() throws {
    let line = try CommandLine()
    let source = Fixtures.sample("deep-mnist/deep-mnist.h5")
    for (name, memory) in [("a", "72"), ("b", "500")] {
      expectSuccess(
        try line.netconv(
          "convert", source, name, "--target", "source", "--dtype", "int8", "--dtype",
          "conv*=bfloat16", "--quiet", "--max-memory", memory))
    }
    #expect(try line.contents(of: "a") == line.contents(of: "b"))
  }

  @Test(
    "a network in any type classifies as the checkpoint does, within 0.2 %",
    arguments: ["bfloat16", "int8"])
  func accuracy(dtype: String) throws {
    let line = try CommandLine()
    let source = Fixtures.sample("deep-mnist/deep-mnist.h5")
    expectSuccess(
      try line.netconv("convert", source, "out", "--target", "source", "--dtype", dtype, "--quiet"))
    let result = try line.netconv("verify", "out", "--limit", "2000", "--json")
    let accuracy = try #require(try jsonObject(result.output.utf8)["accuracy"] as? Double)
    let whole = try line.netconv("verify", source, "--limit", "2000", "--json")
    let expected = try #require(try jsonObject(whole.output.utf8)["accuracy"] as? Double)
    #expect(abs(accuracy - expected) <= 0.002)
  }

  // MARK: - Raw blobs

  /// A dense layer of 2 x 3 in int8, by input and output, with the scales of its outputs.
  private func blobs(
    scale: String = #""scale": {"file": "s.bin"}, "#, dtype: String = "int8",
    scales: [Float] = [0.5, 2, -1], prefix: Int = 0
  ) throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [2]}], "outputs": ["fc"],
       "layers": [
        {"name": "fc", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 3},
         "parameters": [
          {"role": "kernel", "file": "W.bin", "dtype": "\(dtype)", \(scale)"layout": "IO"}]}]}
      """, to: "m/model.json")
    try line.folder.write([1, 2, 3, 0x80, 0xff, 100], to: "m/W.bin")
    try line.folder.write(
      [UInt8](repeating: 7, count: prefix) + littleEndian(scales), to: "m/s.bin")
    return line
  }

  @Test("raw blobs may hold int8 kernels with their scales, which are run and converted")
  func rawBlobs() throws {
    for line in [
      try blobs(), try blobs(scale: #""scale": {"file": "s.bin", "offset": 8}, "#, prefix: 8),
    ] {
      expectSuccess(try line.netconv("convert", "m", "out", "--target", "source", "--quiet"))
      #expect(
        try line.folder.bytes("out/weights/fc_W.bin") == littleEndian([0.5, 4, -3, -64, -2, -100]))
      try line.folder.write(npy("<f4", "(1, 2)", littleEndian([1, 10])), to: "x.npy")
      let result = try line.netconv("run", "m", "--input", "x.npy", "--json")
      #expect(result.output.contains("-1003"))
    }
    // Without scales integers are what they are.
    let line = try blobs(scale: "")
    expectSuccess(try line.netconv("convert", "m", "out", "--target", "source", "--quiet"))
    #expect(
      try line.folder.bytes("out/weights/fc_W.bin") == littleEndian([1, 2, 3, -128, -1, 100]))
  }

  @Test(
    "a model.json may name kernels and scales of one container", arguments: ["safetensors", "npz"])
  func named(container: String) throws {
    let line = try blobs()
    expectSuccess(
      try line.netconv(
        "convert", "m", "out", "--target", "source", "--dtype", "int8", "--quiet", "--formats",
        container))
    try line.folder.copy(
      line.folder.file("out/model.\(container)"), to: "m/model.\(container)")
    let document = try String(decoding: line.folder.bytes("m/model.json"), as: UTF8.self)
    func write(_ scale: String) throws {
      try line.folder.write(
        document.replacing(
          #""file": "W.bin""#, with: #""file": "model.\#(container)", "tensor": "fc_W""#
        ).replacing(#""scale": {"file": "s.bin"}, "#, with: scale), to: "m/model.json")
    }
    try write(#""scale": {"file": "model.\#(container)", "tensor": "fc_W_scale"}, "#)
    expectSuccess(try line.netconv("convert", "m", "again", "--target", "source", "--quiet"))
    expectSuccess(try line.netconv("convert", "out", "whole", "--target", "source", "--quiet"))
    #expect(try line.contents(of: "again/weights") == line.contents(of: "whole/weights"))

    let place = "m/model.json: layer 'fc', tensor 'kernel': "
    try write(#""scale": {"file": "model.\#(container)", "tensor": "fc_W_scale", "offset": 4}, "#)
    expectError(
      try line.netconv("inspect", "m"), 65,
      place
        + "'model.\(container):fc_W_scale' is named with an offset; leave it out, since the file states "
        + "where its tensors are")
    try write(#""scale": {"file": "model.\#(container)", "tensor": "fc_W"}, "#)
    expectError(
      try line.netconv("inspect", "m"), 65,
      place + "the scales 'model.\(container):fc_W' are int8, expected float32")
    guard container == "safetensors" else { return }
    try write("")
    expectError(
      try line.netconv("inspect", "m"), 65,
      place + "scale is '' in model.json, but 'model.safetensors:fc_W_scale' in "
        + "'model.safetensors:fc_W'; use the file's value")
  }

  @Test("scales that do not fit are told with layer and tensor")
  func wrongScales() throws {
    expectError(
      try (try blobs(scales: [1, 2])).netconv("inspect", "m"), 65,
      "m/s.bin: layer 'fc', tensor 'kernel': holds 8 bytes, expected 12 ([3] of float32); correct the "
        + "layer, the type or the file")
    expectError(
      try (try blobs(dtype: "uint8")).netconv("inspect", "m"), 65,
      "m/model.json: layer 'fc', tensor 'kernel': has scales, but values of uint8; only int8 is "
        + "multiplied by scales")
    expectError(
      try (try blobs(scales: [1, .nan, 2])).netconv("convert", "m", "out"), 65,
      "m: layer 'fc', tensor 'kernel': the scale of output channel 1 is nan, expected a finite number"
    )
    expectError(
      try (try blobs(scale: #""scale": {"file": "s.bin", "zero": 1}, "#)).netconv("inspect", "m"),
      65, "m/model.json: layers[0].parameters[0].scale: unknown key 'zero'")
    expectError(
      try (try blobs(scale: #""scale": {"file": "../s.bin"}, "#)).netconv("inspect", "m"), 65,
      "m/model.json: layer 'fc', tensor 'kernel': file '../s.bin' leaves the folder; name a file in "
        + "it, without '..' and without a leading '/'")
  }

  @Test("a manifest that contradicts itself about scales is refused")
  func manifest() throws {
    let line = try blobs()
    expectSuccess(
      try line.netconv(
        "convert", "m", "out", "--target", "source", "--dtype", "int8", "--quiet", "--formats",
        "bin"))
    let manifest = try line.folder.bytes("out/manifest.json")
    for (text, other, message) in [
      (
        #""scale": "fc_W_scale""#, #""scale": "fc_W""#,
        "the manifest contradicts itself about 'weights/fc_W.bin': its scale is 'fc_W_scale' in 'model' "
          + "and 'fc_W' in 'tensors'; convert the model again"
      ),
      (
        #""role": "kernel_scale""#, #""role": "scale""#,
        "the manifest names 'weights/fc_W_scale.bin' as its scales, but the role of these is 'scale', "
          + "expected 'kernel_scale'; convert the model again"
      ),
    ] {
      try line.folder.write(manifest, to: "out/manifest.json")
      try line.replace(text, with: other, in: "out/manifest.json")
      expectError(
        try line.netconv("inspect", "out"), 65,
        "out/manifest.json: layer 'fc', tensor 'kernel': " + message)
    }
    try line.folder.write(manifest, to: "out/manifest.json")
    try line.flip("out/weights/fc_W_scale.bin", at: 1)
    let result = try line.netconv("verify", "out")
    #expect(result.status == 65)
    #expect(
      result.errors.contains("fc_W_scale.bin: layer 'fc', tensor 'kernel_scale': SHA-256 is "))
  }
}
