import Foundation
import TestSupport
import Testing

@Suite("Keras checkpoints that are damaged or incomplete")
struct KerasSourceTests {
  private func convert(_ fixture: String, _ options: String...) throws -> (
    CommandLine, NetconvProcess.Result
  ) {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path(fixture), to: "m.h5")
    let result = try NetconvProcess.run(
      ["convert", "m.h5", "out", "--quiet"] + options, in: line.folder.path)
    return (line, result)
  }

  @Test(
    "each exits with 65 and says what was found and what was expected",
    arguments: [
      (
        "keras/keras2-weights-only.h5",
        "holds 3 layers of weights but no architecture (there is no model_config); pass the output "
          + "of model.to_json() with --model FILE, or save the whole model with model.save(); convert "
          + "--weights-only writes the tensors without a graph"
      ),
      (
        "keras/keras3-only.weights.h5",
        "holds weights but no architecture (there is no model_config); pass the output of "
          + "model.to_json() with --model FILE, or save the whole model with model.save(); convert "
          + "--weights-only writes the tensors without a graph"
      ),
      (
        "hdf5/values.h5",
        "is an HDF5 file, but not one that Keras writes: there is neither model_config nor "
          + "layer_names nor a group of layers"
      ),
      (
        "keras/bad-config.h5",
        "the attribute model_config is not JSON: the text ends, expected '\"', in line 1, column 201"
      ),
      (
        "keras/missing-weight.h5",
        "layer 'conv': weight_names lists 'conv/bias:0', but there is no such dataset; the file is "
          + "damaged, so save the model again"
      ),
      (
        "keras/missing-layer.h5",
        "layer 'fc': the weight 'kernel' is missing; the file holds none for this layer"
      ),
      (
        "keras/extra-weight.h5",
        "layer 'conv': the file holds a weight 'scale' that the layer does not have; expected "
          + "kernel, bias"
      ),
      (
        "keras/wrong-shape.h5",
        "layer 'conv', tensor 'kernel': shape is [2, 3, 2, 4], expected [3, 2, 2, 4] (H, W, I, O); correct the "
          + "layer or its weights"
      ),
      (
        "hdf5/keras-links.h5",
        "layer 'fc', tensor '/model_weights/fc/fc/bias:0': is a link to '/bias' in the file "
          + "'keras-links-target.h5', but netconv opens no other file; copy the object into this one"
      ),
      (
        "keras/keras2-unsupported.h5",
        """
        1 layer is not supported; convert --weights-only writes the tensors without a graph
          'bins' (Discretization), layer 4 of 9
        """
      ),
    ])
  func refused(fixture: String, message: String) throws {
    let (line, result) = try convert(fixture)
    expectError(result, 65, "m.h5: " + message)
    #expect(try line.names() == ["m.h5"])
  }

  @Test("weights alone are read with the architecture beside them")
  func architecture() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/keras2-weights-only.h5"), to: "weights.h5")
    try line.folder.write(Self.architecture, to: "model.json")
    expectSuccess(
      try line.netconv("convert", "weights.h5", "out", "--model", "model.json", "--quiet"))
    expectSuccess(
      try line.netconv("inspect", "weights.h5", "--model", "model.json", "--tensors", "--json"))
    #expect(
      try line.names(in: "out/weights") == ["conv_W.bin", "conv_b.bin", "fc_W.bin", "fc_b.bin"])
  }

  @Test(
    "an architecture that cannot be used is named, not the weights",
    arguments: [
      (nil, 66, "no such file or folder; check the path"),
      ("{", 65, "is not JSON: the text ends, expected a key in double quotes, in line 1, column 2"),
      (
        "{\"class_name\": \"Custom\"}", 65,
        "the model is of class 'Custom', expected Sequential or Functional; convert --weights-only "
          + "writes the tensors without a graph"
      ),
    ] as [(String?, Int32, String)])
  func badArchitecture(contents: String?, status: Int32, message: String) throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/keras2-weights-only.h5"), to: "weights.h5")
    if let contents { try line.folder.write(contents, to: "model.json") }
    expectError(
      try line.netconv("convert", "weights.h5", "out", "--model", "model.json"), status,
      "model.json: " + message)
  }

  @Test("layers that cannot be used are the architecture's, not the weights'")
  func badLayers() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/keras2-weights-only.h5"), to: "weights.h5")
    for (old, new, message) in [
      (
        "Conv2D", "Conv7D",
        "1 layer is not supported; convert --weights-only writes the tensors without a graph\n"
          + "  'conv' (Conv7D), layer 2 of 4: if it has no weights, state what it computes, as in --replace "
          + "'conv=Rescaling(scale: 1/127.5, offset: -1)'"
      ),
      (
        "[3, 2]", "[7, 2]",
        "layer 'conv': the output would have shape (0, 4, 4), which is empty; the input "
          + "(6, 5, 2) is smaller than the window"
      ),
    ] {
      try line.folder.write(Self.architecture.replacing(old, with: new), to: "model.json")
      expectError(
        try line.netconv("convert", "weights.h5", "out", "--model", "model.json"), 65,
        "model.json: " + message)
    }
  }

  @Test("weights that do not fit the architecture beside them are named, not the architecture")
  func otherWeights() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/keras2-weights-only.h5"), to: "weights.h5")
    try line.folder.write(
      Self.architecture.replacing("\"use_bias\": true", with: "\"use_bias\": false"),
      to: "model.json")
    let misfits = """
      weights.h5: the weights of 2 layers do not fit
        layer 'conv': the file holds a weight 'bias' that the layer does not have; expected kernel
        layer 'fc': the file holds a weight 'bias' that the layer does not have; expected kernel
      """
    expectError(
      try line.netconv("convert", "weights.h5", "out", "--model", "model.json"), 65, misfits)
    let shown = try line.netconv("inspect", "weights.h5", "--model", "model.json")
    #expect(shown.errors == "netconv: warning: \(misfits)\n")
    #expect(shown.status == 0)
    #expect(
      shown.output.hasSuffix("\n3 layers, 507 parameters in 4 tensors; no graph\n"),
      "\(shown.output)")
  }

  @Test("a damaged value in a Keras 3 archive is found before anything is written")
  func damagedArchive() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/archive-conv-same.keras"), to: "m.keras")
    expectSuccess(try line.netconv("convert", "m.keras", "good", "--quiet"))
    let bias = Data(try line.folder.bytes("good/weights/fc_b.bin"))
    let archive = Data(try line.folder.bytes("m.keras"))
    // The bias lies in the archive as it is: the entry is stored, and so is the HDF5 dataset.
    let place = try #require(archive.range(of: bias)?.lowerBound)
    try line.flip("m.keras", at: place + 1)
    expectError(
      try line.netconv("convert", "m.keras", "out"), 65,
      "m.keras: the archive's entry 'model.weights.h5' does not match its checksum; it is damaged")
    #expect(try line.names() == ["good", "m.keras"])
    expectSuccess(try line.netconv("inspect", "m.keras"))
  }

  @Test(
    "no lock is taken or waited for, whatever the environment says", arguments: ["TRUE", "FALSE"])
  func locks(setting: String) throws {
    let line = try CommandLine()
    let path = try line.folder.copy(Fixtures.path("keras/keras2-reshape-dense.h5"), to: "m.h5")
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    expectSuccess(
      try line.netconv("inspect", "m.h5", environment: ["HDF5_USE_FILE_LOCKING": setting]))
  }

  @Test("values that are not finite are warned of and counted, and converted as they are")
  func notFinite() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/not-finite.h5"), to: "m.h5")
    let result = try line.netconv("convert", "m.h5", "out", "--json")
    #expect(
      result.errors == """
        netconv: warning: 1 tensor holds values that are infinite or NaN; check how the model was \
        trained and saved
          'conv' kernel (/model_weights/conv/conv/kernel:0): 5 of 48, the first at index 14

        """)
    #expect(result.status == 0)
    let report = try jsonObject(result.output.utf8)
    let conversion = try #require((report["conversions"] as? [[String: Any]])?.first)
    #expect((conversion["warnings"] as? [String])?.count == 1)

    let manifest = try jsonObject(try line.folder.bytes("out/manifest.json"))
    let tensors = try #require(manifest["tensors"] as? [[String: Any]])
    let kernel = try #require(tensors[0]["statistics"] as? [String: Any])
    #expect(kernel["nonFinite"] as? Int == 5)
    #expect(kernel["firstNonFinite"] as? Int == 14)
    let bias = try #require(tensors[1]["statistics"] as? [String: Any])
    #expect(bias["nonFinite"] as? Int == 0)

    let quiet = try line.netconv("convert", "m.h5", "again", "--quiet")
    expectSuccess(quiet)
    #expect(quiet.output == "")
  }

  /// The output of `model.to_json()` for the model with the weights of `keras2-weights-only.h5`.
  private static let architecture = """
    {"class_name": "Sequential", "config": {"name": "net", "layers": [
      {"class_name": "InputLayer",
       "config": {"name": "image", "batch_input_shape": [null, 6, 5, 2], "dtype": "float32"}},
      {"class_name": "Conv2D",
       "config": {"name": "conv", "filters": 4, "kernel_size": [3, 2], "strides": [1, 1],
                  "padding": "valid", "data_format": "channels_last", "dilation_rate": [1, 1],
                  "groups": 1, "activation": "linear", "use_bias": true}},
      {"class_name": "Flatten", "config": {"name": "flatten", "data_format": "channels_last"}},
      {"class_name": "Dense",
       "config": {"name": "fc", "units": 7, "activation": "linear", "use_bias": true}}]}}
    """
}
