import Datasets
import Foundation
import TestSupport
import Testing

/// Sources whose graph netconv cannot read; NumPy wrote the expected tensors.
@Suite("Weights without a graph")
struct WeightsOnlyTests {
  /// A fixture, and the name of its expectations.
  static let sources = [
    ("keras2-mixed-layers.h5", "keras2-mixed-layers"),
    ("keras3-mixed-layers.h5", "keras3-mixed-layers"),
    ("archive-mixed-layers.keras", "archive-mixed-layers"),
    ("keras2-subclassed-weights.h5", "keras2-subclassed-weights"),
    ("subclassed.weights.h5", "subclassed"), ("archive-subclassed.keras", "subclassed"),
  ]

  private static let unsupported = """
    2 layers are not supported; convert --weights-only writes the tensors without a graph
      'block' (Block), layer 7 of 11: if it has no weights, state what it computes, as in --replace \
    'block=Rescaling(scale: 1/127.5, offset: -1)'
      'double' (Lambda), layer 8 of 11: its code is Python's; state what it computes, as in --replace \
    'double=Rescaling(scale: 1/127.5, offset: -1)'
    """

  private static let noArchitecture = """
    no architecture (there is no model_config); pass the output of model.to_json() with --model FILE, \
    or save the whole model with model.save(); convert --weights-only writes the tensors without a graph
    """

  static let refusals = [
    ("keras2-mixed-layers.h5", unsupported), ("keras3-mixed-layers.h5", unsupported),
    ("archive-mixed-layers.keras", unsupported),
    ("keras2-subclassed-weights.h5", "holds 3 layers of weights but " + noArchitecture),
    ("subclassed.weights.h5", "holds weights but " + noArchitecture),
    (
      "archive-subclassed.keras",
      "the model is of class 'Net', expected Sequential or Functional; convert --weights-only writes "
        + "the tensors without a graph"
    ),
  ]

  private func line(with fixture: String) throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/" + fixture), to: "source")
    return line
  }

  /// A folder `out` with the weights of the model that has layers of every kind.
  private func converted() throws -> CommandLine {
    let line = try line(with: "keras2-mixed-layers.h5")
    expectSuccess(
      try line.netconv(
        "convert", "source", "out", "--weights-only", "--target", "mps", "--no-strict", "--quiet"))
    return line
  }

  @Test("every tensor is written as NumPy writes it, and no other", arguments: sources)
  func bytes(fixture: String, expectations: String) throws {
    let line = try line(with: fixture)
    expectSuccess(
      try line.netconv(
        "convert", "source", "out", "--weights-only", "--target", "mps", "--no-strict", "--quiet"))
    let expected = try NumpyArchive.read(Fixtures.path("keras/weights/\(expectations).npz"))
    #expect(try line.names(in: "out/weights") == expected.map { $0.name + ".bin" }.sorted())
    for (name, array) in expected {
      let values = array.values.withUnsafeBytes { Array($0) }
      #expect(try line.folder.bytes("out/weights/\(name).bin") == values, "\(name)")
    }
  }

  @Test("without the option one error names every layer, whatever is asked", arguments: refusals)
  func refused(fixture: String, message: String) throws {
    let line = try line(with: fixture)
    try line.folder.write(npy("<f4", "(1, 1)", [0, 0, 0, 0]), to: "x.npy")
    let error = "source: " + message
    expectError(try line.netconv("convert", "source", "out"), 65, error)
    expectError(try line.netconv("verify", "source"), 65, error)
    expectError(try line.netconv("run", "source", "--input", "x.npy"), 65, error)
    #expect(try line.names() == ["source", "x.npy"])
  }

  @Test("inspect shows layers and tensors, then what is in the way", arguments: refusals)
  func inspect(fixture: String, message: String) throws {
    let line = try line(with: fixture)
    let result = try line.netconv("inspect", "source", "--tensors")
    #expect(result.errors == "netconv: warning: source: " + message + "\n")
    #expect(result.status == 0)
    #expect(result.output.contains("tensors; no graph\n"))
    let json = try jsonObject(try line.netconv("inspect", "source", "--json").output.utf8)
    #expect(json["hasGraph"] as? Bool == false)
    let problem = try #require(json["problem"] as? [String: Any])
    let details = try #require(problem["details"] as? [String])
    let lines = [try #require(problem["message"] as? String)] + details.map { "  " + $0 }
    #expect(lines.joined(separator: "\n") == "source: " + message)
  }

  @Test("the table of layers has a dash for what only the graph says")
  func table() throws {
    let line = try line(with: "archive-mixed-layers.keras")
    let result = try line.netconv("inspect", "source")
    #expect(
      result.output.split(separator: "\n", maxSplits: 1).last == """

          layer         type                output shape  parameters  reads
          -----------------------------------------------------------------
          conv          Conv2D              -                     52  -
          depthwise     DepthwiseConv2D     -                     28  -
          separable     SeparableConv2D     -                     36  -
          transposed    Conv2DTranspose     -                     75  -
          bn            BatchNormalization  -                     12  -
          block         Block               -                      3  -
          block/inside  -                   -                     16  -
          block/norm    -                   -                     12  -
          double        Lambda              -                      0  -
          rows          Reshape             -                      0  -
          lstm          LSTM                -                    520  -
          fc            Dense               -                     42  -

        12 layers, 796 parameters in 25 tensors; no graph

        """)
  }

  @Test("tensors that keep their order, and matrices, are warned of by name")
  func warnings() throws {
    let line = try line(with: "keras2-mixed-layers.h5")
    let result = try line.netconv(
      "convert", "source", "out", "--weights-only", "--target", "mps", "--no-strict")
    #expect(
      result.errors == """
        netconv: warning: 1 fully-connected kernel is written as a matrix, rows in the source's order; \
        without a graph, what a flatten before it merged is unknown
          'fc' kernel: (5, 7)
        netconv: warning: target mps has no layout for 4 tensors; they keep the source's
          'block' scale (1, 3): its axes are unknown
          'block/inside' kernel (3, 4): IO has to become OHWI
          'lstm' kernel (20, 20): as a recurrent kernel it has no layout for the target
          'lstm' recurrent (5, 20): as a recurrent kernel it has no layout for the target

        """)
    #expect(result.status == 0)
    let manifest = try jsonObject(try line.folder.bytes("out/manifest.json"))
    let tensors = try #require(manifest["tensors"] as? [[String: Any]])
    let kept = tensors.filter { $0["supported"] as? Bool == false }.compactMap {
      $0["name"] as? String
    }
    #expect(kept == ["block_scale", "block_inside_W", "lstm_W", "lstm_recurrent"])
    #expect(manifest["model"] == nil)

    expectError(
      try line.netconv(
        "convert", "source", "strict", "--weights-only", "--target", "mps", "--strict", "--quiet"),
      65,
      """
      source: target mps has no known layout for 4 tensors; --convention names the source's layouts (torch, \
      mlx, tensorflow or keras), --layout those of single tensors, --keep leaves some as they are, and --no-strict keeps \
      the source's
        'block' scale (1, 3): its axes are unknown
        'block/inside' kernel (3, 4): IO has to become OHWI
        'lstm' kernel (20, 20): as a recurrent kernel it has no layout for the target
        'lstm' recurrent (5, 20): as a recurrent kernel it has no layout for the target
      """)
  }

  @Test("what was written is a source of weights: the same bytes come out again")
  func again() throws {
    let line = try converted()
    expectSuccess(
      try line.netconv(
        "convert", "out", "again.netpack", "--weights-only", "--target", "mps", "--no-strict",
        "--quiet"))
    let second = try line.netconv(
      "convert", "again.netpack", "third", "--weights-only", "--target", "mps", "--json", "--strict"
    )
    // The second conversion knows no more of these axes than the first.
    #expect(second.status == 65)
    expectSuccess(
      try line.netconv(
        "convert", "again.netpack", "third", "--weights-only", "--target", "mps", "--no-strict",
        "--quiet"))
    #expect(try line.contents(of: "third/weights") == line.contents(of: "out/weights"))
    expectSuccess(try line.netconv("inspect", "third", "--stats", "--json"))
  }

  @Test("weights cannot be run, and a conversion of them has to say so")
  func noGraph() throws {
    let line = try converted()
    try line.folder.write(npy("<f4", "(1, 1)", [0, 0, 0, 0]), to: "x.npy")
    let message = "out: holds weights without a graph, so they cannot be run; "
    expectError(
      try line.netconv("verify", "out"), 64, message + "its 25 tensors are as the manifest says")
    let wayOn = message + "inspect lists them, and convert --weights-only writes them"
    expectError(try line.netconv("run", "out", "--input", "x.npy"), 64, wayOn)
    expectError(try line.netconv("convert", "out", "again"), 64, wayOn)
  }

  @Test("verify finds a changed value before it says that there is no graph")
  func changed() throws {
    let line = try converted()
    try line.flip("out/weights/fc_W.bin", at: 0)
    let result = try line.netconv("verify", "out")
    #expect(result.status == 65)
    #expect(
      result.errors.hasPrefix(
        "netconv: error: out/weights/fc_W.bin: layer 'fc', tensor 'kernel': SHA-256 is "))
  }

  @Test(
    "a manifest of weights that contradicts itself is refused",
    arguments: [
      (
        "\"kind\": \"depthwise\"", "\"kind\": \"deep\"",
        "layer 'depthwise', tensor 'kernel': kind 'deep' is unknown; expected one of convolution, "
          + "depthwise, transposedConvolution, fullyConnected, recurrent, recurrentConvolution, "
          + "locallyConnected, embedding, vector, unknown"
      ),
      (
        "\"P\": 5", "\"P\": 6",
        "layer 'lstm', tensor 'recurrent': the manifest contradicts itself about "
          + "'weights/lstm_recurrent.bin': its shape is [6, 20] in 'weights' and [5, 20] in 'tensors'; "
          + "convert the model again"
      ),
      (
        "\"P\": 5", "\"X\": 5",
        "layer 'lstm', tensor 'recurrent': sizes are Q=20 X=5, expected a size for each axis of 'PQ' "
          + "and no other"
      ),
      (
        "\"weights\": {", "\"model\": {}, \"weights\": {",
        "a manifest holds either 'model' or 'weights'; this one holds neither or both"
      ),
    ])
  func contradiction(old: String, new: String, message: String) throws {
    let line = try line(with: "keras2-mixed-layers.h5")
    expectSuccess(
      try line.netconv(
        "convert", "source", "out", "--weights-only", "--target", "mps", "--no-strict", "--quiet",
        "--formats", "bin"))
    try line.replace(old, with: new, in: "out/manifest.json")
    expectError(try line.netconv("inspect", "out"), 65, "out/manifest.json: " + message)
  }

  @Test("a graph that can be read gives its layouts, and is left out")
  func readable() throws {
    let line = try line(with: "keras2-first-flattened.h5")
    expectSuccess(try line.netconv("convert", "source", "whole", "--quiet"))
    expectSuccess(
      try line.netconv(
        "convert", "source", "weights", "--weights-only", "--target", "mps", "--no-strict",
        "--quiet"))
    #expect(try line.contents(of: "weights/weights") == line.contents(of: "whole/weights"))
    let shown = try line.netconv("inspect", "weights")
    #expect(shown.output.hasSuffix("tensors; no graph\n"))
    expectSuccess(shown)
  }

  @Test("weights beside an architecture that cannot be read keep the order of their axes' names")
  func architecture() throws {
    let line = try line(with: "keras2-weights-only.h5")
    try line.folder.write(
      """
      {"class_name": "Sequential", "config": {"name": "net", "layers": [
        {"class_name": "Conv2D", "config": {"name": "conv", "filters": 4, "kernel_size": [3, 2],
          "activation": "my_function", "batch_input_shape": [null, 6, 5, 2]}},
        {"class_name": "Mine", "config": {"name": "mine"}},
        {"class_name": "Dense", "config": {"name": "fc", "units": 7}}]}}
      """, to: "model.json")
    let result = try line.netconv(
      "convert", "source", "out", "--weights-only", "--target", "mps", "--no-strict", "--model",
      "model.json", "--json", "--quiet")
    expectSuccess(result)
    let report = try jsonObject(result.output.utf8)
    let conversion = try #require((report["conversions"] as? [[String: Any]])?.first)
    let tensors = try #require(conversion["tensors"] as? [[String: Any]])
    #expect(tensors.compactMap { $0["sourceLayout"] as? String } == ["HWIO", "O", "IO", "O"])
    #expect(tensors.compactMap { $0["layout"] as? String } == ["OHWI", "O", "OHWI", "O"])
  }

  private static let misfit =
    "netconv: warning: parts of the file are inconsistent or cannot be read; every readable array is "
    + "written as it is, without a graph\n"

  @Test(
    "weights that do not fit are written as they are, and what does not fit is said",
    arguments: [
      (
        "keras/missing-weight.h5",
        "layer 'conv': weight_names lists 'conv/bias:0', but there is no such dataset; the file is damaged, so save the model again",
        ["conv_W.bin", "fc_W.bin", "fc_b.bin"]
      ),
      (
        "keras/missing-weight-name.h5",
        "layer 'conv': the weight 'bias' is missing; the file holds 'kernel'",
        ["conv_W.bin", "fc_W.bin", "fc_b.bin"]
      ),
      (
        "keras/missing-layer.h5",
        "layer 'fc': the weight 'kernel' is missing; the file holds none for this layer",
        ["conv_W.bin", "conv_b.bin"]
      ),
      (
        "keras/extra-weight.h5",
        "layer 'conv': the file holds a weight 'scale' that the layer does not have; expected kernel, bias",
        ["conv_W.bin", "conv_b.bin", "conv_scale.bin", "fc_W.bin", "fc_b.bin"]
      ),
      (
        "keras/wrong-shape.h5",
        "layer 'conv', tensor 'kernel': shape is [2, 3, 2, 4], expected [3, 2, 2, 4] (H, W, I, O); correct the "
          + "layer or its weights",
        ["conv_W.bin", "conv_b.bin", "fc_W.bin", "fc_b.bin"]
      ),
      (
        "keras/bad-config.h5",
        "the attribute model_config is not JSON: the text ends, expected '\"', in line 1, column 201",
        ["conv_W.bin", "conv_b.bin", "fc_W.bin", "fc_b.bin"]
      ),
    ])
  func misfits(fixture: String, message: String, files: [String]) throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path(fixture), to: "source")
    expectError(try line.netconv("convert", "source", "out"), 65, "source: " + message)
    let result = try line.netconv(
      "convert", "source", "out", "--weights-only", "--target", "mps", "--no-strict")
    #expect(result.status == 0)
    #expect(result.errors.hasPrefix(Self.misfit + "  " + message + "\n"), "\(result.errors)")
    #expect(try line.names(in: "out/weights") == files)
    let shown = try line.netconv("inspect", "source")
    #expect(shown.status == 0)
    #expect(shown.errors.hasPrefix("netconv: warning: source: " + message))
  }

  @Test("an array that the file holds and does not list is written too")
  func unlisted() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/unlisted-weight.h5"), to: "source")
    let result = try line.netconv(
      "convert", "source", "out", "--weights-only", "--target", "mps", "--no-strict")
    #expect(result.status == 0)
    #expect(
      result.errors.contains(
        "tensor '/model_weights/conv/conv/bias:0': the file holds this array, but weight_names does not list it\n"
      ), "\(result.errors)")
    #expect(
      try line.names(in: "out/weights") == ["conv_W.bin", "conv_b.bin", "fc_W.bin", "fc_b.bin"])
  }

  @Test("an archive whose configuration cannot be read, or is not there, gives its arrays")
  func archives() throws {
    for (fixture, message) in [
      ("bad-config.keras", "the archive's config.json is not JSON: "),
      ("no-config.keras", "the archive has no config.json; it is not one that Keras writes"),
    ] {
      let line = try line(with: fixture)
      let refused = try line.netconv("convert", "source", "out")
      #expect(refused.status == 65)
      #expect(refused.errors.hasPrefix("netconv: error: source: " + message), "\(refused.errors)")
      let result = try line.netconv(
        "convert", "source", "out", "--weights-only", "--target", "mps", "--no-strict")
      #expect(result.status == 0)
      #expect(result.errors.hasPrefix(Self.misfit + "  " + message), "\(result.errors)")
      #expect(try line.names(in: "out/weights").count == 6)
    }
  }

  @Test("layers that do not fit together are no reason to keep their weights back")
  func impossibleGraph() throws {
    let line = try line(with: "keras2-weights-only.h5")
    try line.folder.write(
      """
      {"class_name": "Sequential", "config": {"name": "net", "layers": [
        {"class_name": "Conv2D", "config": {"name": "conv", "filters": 4, "kernel_size": [3, 2],
          "batch_input_shape": [null, null, null, 2]}},
        {"class_name": "Flatten", "config": {"name": "flatten"}},
        {"class_name": "Dense", "config": {"name": "fc", "units": 7}}]}}
      """, to: "model.json")
    let message =
      "model.json: layer 'fc': the input has shape (None); this layer needs every size that it mixes to be "
      + "known, so fix the size of the model's input"
    expectError(try line.netconv("convert", "source", "out", "--model", "model.json"), 65, message)
    let shown = try line.netconv("inspect", "source", "--model", "model.json")
    #expect(shown.errors == "netconv: warning: " + message + "\n")
    #expect(shown.status == 0)
    expectSuccess(
      try line.netconv(
        "convert", "source", "out", "--weights-only", "--target", "mps", "--no-strict", "--model",
        "model.json", "--quiet"))
    #expect(
      try line.names(in: "out/weights") == ["conv_W.bin", "conv_b.bin", "fc_W.bin", "fc_b.bin"])
  }
}
