import Datasets
import Foundation
import TestSupport
import Testing

/// Files that Keras writes in a way of its own; the predictions of each are in `KerasPredictionTests`.
@Suite("Unusual Keras files")
struct KerasVariantTests {
  private func run(
    _ fixture: String, _ arguments: String...
  ) throws -> (CommandLine, NetconvProcess.Result) {
    let line = try CommandLine()
    let name = "m." + (fixture.hasSuffix(".keras") ? "keras" : "h5")
    try line.folder.copy(Fixtures.path("keras/\(fixture)"), to: name)
    let words = [arguments[0], name] + arguments.dropFirst()
    return (line, try NetconvProcess.run(words, in: line.folder.path))
  }

  @Test(
    "weights of releases that number groups differently are listed under their layers",
    arguments: ["213-numbered", "213-windows", "215-numbered", "215-windows"])
  func weightsOnly(name: String) throws {
    let (line, result) = try run(
      "archive-keras\(name).keras", "convert", "out", "--weights-only", "--quiet")
    expectSuccess(result)
    let layers = ["bn_a", "bn_b", "conv_a", "conv_b", "conv_c", "norm_a", "norm_b"]
    let names = Set(try line.names(in: "out/weights").map { $0.split(separator: "_").dropLast() })
    for layer in layers {
      #expect(names.contains(layer.split(separator: "_")[...]), "\(layer)")
    }
    // The same kernel as in the HDF5 that the same release wrote beside it.
    let own = try run(
      "keras\(name.prefix(3))-numbered.h5", "convert", "out", "--target", "source", "-q")
    expectSuccess(own.1)
    for kernel in ["conv_a_W.bin", "conv_b_W.bin", "conv_c_W.bin", "inner_inner_b_W.bin"] {
      let (found, expected) = try (
        line.folder.bytes("out/weights/" + kernel), own.0.folder.bytes("out/weights/" + kernel)
      )
      #expect(found == expected, "\(kernel)")
    }
  }

  /// Replaces a text in a file that is none as a whole by another of its length.
  private func replace(
    _ text: String, with other: String, in name: String, of line: CommandLine
  ) throws {
    var bytes = Data(try line.folder.bytes(name))
    let place = try #require(bytes.range(of: Data(text.utf8)))
    bytes.replaceSubrange(place, with: Data(other.utf8))
    try line.folder.write(Array(bytes), to: name)
  }

  @Test("groups that do not tell whose they are belong to no layer")
  func missingGroup() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/archive-keras213-numbered.keras"), to: "m.keras")
    // Of three convolutions a fourth is said to be there; all have shapes that fit several.
    try replace("conv2d_4", with: "conv3d_4", in: "m.keras", of: line)
    let misfits = """
      m.keras: the weights of 3 layers do not fit
        layer 'conv_a': the weight 'kernel' is missing; the file holds none for this layer
        layer 'conv_b': the weight 'kernel' is missing; the file holds none for this layer
        layer 'conv_c': the weight 'kernel' is missing; the file holds none for this layer
      """
    expectError(try line.netconv("convert", "m.keras", "out"), 65, misfits)
    // Without a graph the groups are shown under their own names.
    let result = try line.netconv("inspect", "m.keras")
    #expect(result.errors == "netconv: warning: \(misfits)\n")
    #expect(result.status == 0)
    let names = Set(
      result.output.split(separator: "\n").compactMap { $0.split(separator: " ").first })
    #expect(names.isSuperset(of: ["conv2d", "conv2d_2", "conv3d_4"]), "\(result.output)")
    #expect(result.output.hasSuffix("; no graph\n"), "\(result.output)")
  }

  @Test("an architecture in a string of JSON is read, and what is wrong with one is said")
  func stringOfJSON() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/string-config.weights.h5"), to: "w.h5")
    try line.folder.copy(Fixtures.path("keras/string-config.json"), to: "model.json")
    expectSuccess(try line.netconv("inspect", "w.h5", "--model", "model.json"))
    try line.folder.write(#""no configuration""#, to: "model.json")
    let problem =
      "model.json: holds one string, whose text is not JSON: found 'no confi', expected a value, in line 1, "
      + "column 1; expected the output of model.to_json(), as it is or as a string of JSON"
    expectError(
      try line.netconv("convert", "w.h5", "out", "--model", "model.json"), 65, problem)
    let shown = try line.netconv("inspect", "w.h5", "--model", "model.json")
    #expect(shown.errors == "netconv: warning: \(problem)\n")
    #expect(shown.status == 0)
    #expect(
      shown.output.hasSuffix("\n5 layers, 318 parameters in 9 tensors; no graph\n"),
      "\(shown.output)")
  }

  @Test("a number that is neither 0 nor 1 is no truth value")
  func truthValues() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/keras2-number-booleans.h5"), to: "m.h5")
    try replace(#""center": 0"#, with: #""center": 2"#, in: "m.h5", of: line)
    expectError(
      try line.netconv("convert", "m.h5", "out"), 65,
      """
      m.h5: 1 layer is not supported; convert --weights-only writes the tensors without a graph
        'bn' (BatchNormalization), layer 3 of 6: center is 2, expected true or false
      """)
  }
}

/// Models after Keras's `quantize`: layers that round their inputs cannot be run from their weights alone.
@Suite("Models that Keras has quantised")
struct KerasQuantisedTests {
  static let modes = ["int8", "int4", "int4-channels", "float8"]
  static let files = modes.flatMap { ["keras3-\($0).h5", "archive-\($0).keras"] }

  private func line(with fixture: String) throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/" + fixture), to: "source")
    return line
  }

  private static func mode(of file: String) -> String {
    String(file.split(separator: ".")[0].drop { $0 != "-" }.dropFirst())
  }

  @Test("a graph is refused, with each layer, its mode and a way on", arguments: files)
  func refused(file: String) throws {
    let line = try line(with: file)
    let mode = Self.mode(of: file).prefix { $0 != "-" }
    let reason =
      "quantised by Keras (\(mode)), "
      + (mode == "int4"
        ? "which only Keras's own layers compute with" : "which quantises activations too")
      + "; convert the model as it was before quantize()"
    expectError(
      try line.netconv("convert", "source", "out"), 65,
      """
      source: 2 layers are not supported; convert --weights-only writes the tensors without a graph
        'fc' (Dense), layer 4 of 5: \(reason)
        'out' (Dense), layer 5 of 5: \(reason)
      """)
  }

  @Test("values follow from what is written as the manifest says", arguments: files)
  func values(file: String) throws {
    let line = try line(with: file)
    let mode = Self.mode(of: file)
    let result = try line.netconv(
      "convert", "source", "out", "--weights-only", "--target", "source", "--formats", "npz")
    #expect(result.status == 0, "\(result.errors)")
    let formula =
      switch mode {
      case "int8":
        "(int8): a value is kernel / keras_kernel_scale; integers are from -127 to 127; as it runs, Keras "
          + "rounds what the layer reads, too"
      case "int4":
        "(int4): a value is (kernel - kernel_zero[g]) * keras_kernel_scale[g], g being g_idx of its input; "
          + "integers are from -8 to 7"
      case "int4-channels":
        "(int4): a value is kernel / keras_kernel_scale; integers are from -8 to 7"
      default:
        "(float8): kernel is as it was; as it runs, Keras rounds it, and what the layer reads, to "
          + "float8_e4m3fn times a scale"
      }
    let text =
      "Keras has quantised 2 layers; values are computed from the stored tensors, which are not the weights themselves"
    #expect(
      result.errors.contains(
        "netconv: warning: \(text)\n  'fc' \(formula)\n  'out' \(formula)\n"), "\(result.errors)")
    let manifest = try jsonObject(try line.folder.bytes("out/manifest.json"))
    let source = try #require(manifest["source"] as? [String: Any])
    #expect(source["notes"] as? [String] == ["\(text): 'fc' \(formula); 'out' \(formula)"])
    let types = Dictionary(
      uniqueKeysWithValues: try #require(manifest["tensors"] as? [[String: Any]]).map {
        ("\($0["layer"] ?? "")/\($0["role"] ?? "")", $0["dtype"] as? String)
      })
    #expect(types["fc/kernel"] == (mode == "float8" ? "float32" : "int8"))
    #expect(types["fc/keras_kernel_scale"] == "float32")
    #expect(types["conv/kernel"] == "float32")

    let written = try tensors(manifest, in: line)
    let expected = try arrays(Fixtures.path("keras/weights/quantised.npz"))
    for layer in ["fc", "out"] {
      let kernel = try #require(written["\(layer)/kernel"])
      if let integers = expected["\(mode)/\(layer)/integers"] {
        #expect(kernel.values == integers.values)
      }
      let scales = try #require(written["\(layer)/keras_kernel_scale"]).values
      let columns = layer == "fc" ? 7 : 4
      let zeros = written["\(layer)/kernel_zero"]?.values
      let groups = written["\(layer)/g_idx"]?.values
      let found = kernel.values.enumerated().map { index, integer -> Float in
        let (row, column) = (index / columns, index % columns)
        if let zeros, let groups {
          let place = Int(groups[row]) * columns + column
          return (integer - zeros[place]) * scales[place]
        }
        return mode == "float8" ? integer : integer / scales[column]
      }
      let values = try #require(expected["\(mode)/\(layer)/values"]).values
      // One division or product, rounded to float32 by both.
      #expect(relativeDifference(found, values) < 1e-6, "\(layer)")
    }
  }

  /// The arrays of `model.npz` by layer and role.
  private func tensors(
    _ manifest: [String: Any], in line: CommandLine
  ) throws -> [String: NumpyArray] {
    let stored = try arrays(line.folder.file("out/model.npz"))
    var tensors: [String: NumpyArray] = [:]
    for record in try #require(manifest["tensors"] as? [[String: Any]]) {
      let name = try #require(record["name"] as? String)
      tensors["\(record["layer"] ?? "")/\(record["role"] ?? "")"] = stored[name]
    }
    return tensors
  }

  @Test("inspect shows layers, integers and scales, and what is in the way", arguments: files)
  func inspected(file: String) throws {
    let line = try line(with: file)
    let result = try line.netconv("inspect", "source", "--json")
    #expect(result.status == 0, "\(result.errors)")
    let report = try jsonObject(result.output.utf8)
    #expect((report["notes"] as? [String])?.count == 1)
    let rows = try #require(report["tensors"] as? [[String: Any]])
    let kernel = try #require(
      rows.first { $0["layer"] as? String == "fc" && $0["role"] as? String == "kernel" })
    #expect(kernel["shape"] as? [Int] == [18, 7])
    #expect(kernel["dtype"] as? String == (Self.mode(of: file) == "float8" ? "float32" : "int8"))
    #expect(result.errors.contains("quantised by Keras ("))
  }

  @Test("what LoRA added is said, and where Keras itself computes something else")
  func lora() throws {
    let line = try line(with: "keras3-lora.h5")
    let result = try line.netconv("convert", "source", "out", "--json")
    #expect(result.status == 0)
    let text = """
      LoRA was added to 4 kernels, as Keras computes with it: kernel + lora_alpha / lora_rank * A·B
        'conv': lora_alpha 3, lora_rank 2
        'conv_rank': lora_alpha 1, lora_rank 1
        'body/inside': lora_alpha 2, lora_rank 2
        'fc': lora_alpha 1.5, lora_rank 3; Keras 3.15 takes lora_rank for both when it loads this layer \
      from HDF5, and then computes something else than the model that was saved

      """
    #expect(result.errors == "netconv: warning: " + text)
    let manifest = try jsonObject(try line.folder.bytes("out/manifest.json"))
    let source = try #require(manifest["source"] as? [String: Any])
    #expect((source["notes"] as? [String])?.first?.hasPrefix("LoRA was added to 4 kernels") == true)
    // Without a graph the kernels are the same, and the parts of the sums are not written.
    expectSuccess(
      try line.netconv(
        "convert", "source", "weights", "--weights-only", "--target", "mps", "--no-strict", "-q"))
    #expect(
      try line.folder.bytes("weights/weights/conv_W.bin")
        == line.folder.bytes("out/weights/conv_W.bin"))
    #expect(try !line.names(in: "weights/weights").contains { $0.contains("lora") })
  }
}
