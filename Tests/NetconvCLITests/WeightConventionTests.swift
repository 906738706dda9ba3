import Datasets
import Foundation
import TestSupport
import Testing

/// Weights without a graph for consumers, and messages about them.
///
/// `make_conventions.py` wrote the fixtures, with weights that NumPy has transposed for other frameworks.
@Suite("weights without a graph for a target")
struct WeightConventionTests {
  private static let torch = Fixtures.path("conventions/torch.safetensors")
  private static let undecided = Fixtures.path("conventions/undecided.safetensors")

  /// The tensors of a safetensors file: their shapes and the bytes of their values.
  private func tensors(_ bytes: [UInt8]) throws -> [String: (shape: [Int], bytes: [UInt8])] {
    let length = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    var header = try jsonObject(bytes[8..<8 + length])
    header["__metadata__"] = nil
    return try header.mapValues { value in
      let value = try #require(value as? [String: Any])
      let places = try #require(value["data_offsets"] as? [Int])
      return (
        try #require(value["shape"] as? [Int]),
        Array(bytes[8 + length + places[0]..<8 + length + places[1]])
      )
    }
  }

  private func expectEqual(
    _ found: [String: NumpyArray], _ expected: [String: NumpyArray],
    called name: (String) -> String = { $0 }
  ) {
    for (key, array) in expected {
      let own = found[name(key)]
      #expect(own?.shape == array.shape, "\(key)")
      #expect(own?.values == array.values, "\(key)")
    }
  }

  // MARK: - Names

  @Test(
    "names of a state dictionary, and numbers without axes, go back as they were",
    arguments: ["names.safetensors", "names.pt", "names.npz"], ["torch", "mlx"])
  func names(source: String, target: String) throws {
    let line = try CommandLine()
    let path = Fixtures.path("conventions/\(source)")
    let expected = try arrays(Fixtures.path("conventions/names.npz"))
    #expect(expected.count == 51)
    let options =
      ["--weights-only", "--target", target, "-q"] + (target == "mlx" ? ["--no-strict"] : [])
    expectSuccess(try line.netconv(["convert", path, "o.npz"] + options))
    let found = try arrays(line.folder.file("o.npz"))
    #expect(Set(found.keys) == Set(expected.keys))
    expectEqual(found, expected)
    expectSuccess(try line.netconv(["convert", path, "o.safetensors"] + options))
    let tensors = try tensors(line.folder.bytes("o.safetensors"))
    #expect(Set(tensors.keys) == Set(expected.keys))
    for (name, array) in expected {
      #expect(tensors[name]?.shape == array.shape, "\(name)")
      #expect(tensors[name]?.bytes == array.values.withUnsafeBytes { Array($0) }, "\(name)")
    }
    // Once more from what was written, and in a folder.
    expectSuccess(
      try line.netconv(
        ["convert", "o.safetensors", "folder"] + options + ["--formats", "bin,npz"]))
    #expect(Set(try arrays(line.folder.file("folder/model.npz")).keys) == Set(expected.keys))
    expectSuccess(try line.netconv(["convert", "folder", "again.npz"] + options))
    expectEqual(try arrays(line.folder.file("again.npz")), expected)
    for verb in ["diff", "relate"] {
      expectSuccess(try line.netconv(verb, path, "again.npz", "-q"))
    }
  }

  @Test("a tensor whose name is no layer's has that name alone, whatever the naming")
  func withoutLayer() throws {
    let line = try CommandLine()
    let path = Fixtures.path("conventions/names.safetensors")
    expectSuccess(
      try line.netconv("convert", path, "o", "--weights-only", "--formats", "npz", "-q"))
    let found = try arrays(line.folder.file("o/model.npz"))
    #expect(found["cls_token"]?.shape == [1, 1, 8])
    #expect(found["logit_scale"]?.shape == [])
    #expect(found["fc_W"]?.shape == [10, 8])
  }

  @Test("a number without axes is no array of one number")
  func numbers() throws {
    let line = try CommandLine()
    try line.folder.write(npy("<f4", "()", [0, 0, 0x20, 0x40]), to: "number.npy")
    try line.folder.write(npy("<f4", "(1,)", [0, 0, 0x20, 0x40]), to: "vector.npy")
    for (a, b) in [("number", "vector"), ("vector", "number")] {
      let diff = try line.netconv("diff", "\(a).npy", "\(b).npy", "--json")
      #expect(diff.status == 1)
      let relate = try line.netconv("relate", "\(a).npy", "\(b).npy", "--map", "\(a).json")
      #expect(relate.status == 0)
      #expect(relate.output.contains("reshaped") && !relate.output.contains("as it is"))
      expectSuccess(
        try line.netconv("convert", "\(a).npy", "\(b)-made.npz", "--map", "\(a).json", "-q"))
      let made = try arrays(line.folder.file("\(b)-made.npz"))
      #expect(made.values.map(\.shape) == [b == "number" ? [] : [1]])
    }
    let same = try line.netconv("relate", "number.npy", "number.npy")
    #expect(same.status == 0 && same.output.contains("number () = number (), as it is"))
  }

  // MARK: - Conventions

  @Test("kernels move by a convention, and names stay", arguments: ["--convention"])
  func moved(option: String) throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Self.torch, "o.npz", "--weights-only", "--target", "mlx", option, "torch", "-q"))
    let expected = try arrays(Fixtures.path("conventions/mlx.npz"))
    let found = try arrays(line.folder.file("o.npz"))
    #expect(Set(found.keys) == Set(expected.keys))
    expectEqual(found, expected)
    expectSuccess(try line.netconv("relate", Self.torch, "o.npz", "--target", "mlx", "-q"))
    // Back again: a transposed convolution of MLX is like any other, but for its name.
    let back = try line.netconv(
      "convert", "o.npz", "back.npz", "--weights-only", "--target", "torch", option, "mlx", "-q")
    #expect(back.status == 65)
    #expect(back.errors.contains("'up.weight' (4, 2, 3, 8): a convolution or a transposed"))
    #expect(!back.errors.contains("deconv") && !back.errors.contains("conv1"))
  }

  @Test("TensorFlow has other names, and matrices the other way round")
  func tensorflow() throws {
    let line = try CommandLine()
    for target in ["torch", "pytorch"] {
      let result = try line.netconv(
        "convert", Self.torch, "o.npz", "--weights-only", "--target", "tensorflow",
        "--convention", target, "-q")
      #expect(result.status == (target == "torch" ? 0 : 64), "\(result.errors)")
    }
    let roles = [
      "weight": "kernel", "bias": "bias", "running_mean": "moving_mean",
      "running_var": "moving_variance",
    ]
    let expected = try arrays(Fixtures.path("conventions/tensorflow.npz"))
    expectEqual(try arrays(line.folder.file("o.npz")), expected) { key in
      let parts = key.split(separator: ".")
      let (scope, word) = (parts.dropLast().joined(separator: "."), String(parts.last ?? ""))
      let isNorm = expected["\(scope).running_mean"] != nil
      let norm = ["weight": "gamma", "bias": "beta"]
      return scope + "/" + ((isNorm ? norm[word] : nil) ?? roles[word] ?? word)
    }
  }

  @Test("recurrent layers have Keras's names and gates")
  func recurrent() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Fixtures.path("conventions/recurrent.safetensors"), "o.npz", "--weights-only",
        "--target", "tensorflow", "--convention", "torch", "-q"))
    let expected = try arrays(Fixtures.path("conventions/recurrent-keras.npz"))
    let found = try arrays(line.folder.file("o.npz"))
    #expect(Set(found.keys) == Set(expected.keys))
    expectEqual(found, expected)
  }

  @Test(
    "of two biases of an LSTM that are one elsewhere, the second is listed",
    arguments: [
      "mlx", "tensorflow", "tflite", "coreml",
    ])
  func twoBiases(target: String) throws {
    let line = try CommandLine()
    let result = try line.netconv(
      "convert", Fixtures.path("conventions/lstm.safetensors"), "o.npz", "--weights-only",
      "--target", target, "--convention", "torch", "-q")
    #expect(result.status == 65)
    #expect(
      result.errors.contains(
        target == "mlx"
          ? "'lstm.weight_ih_l0' (12, 7): mlx has other names for the parameters of such a layer"
          : "'lstm.bias_hh_l0' (12): \(target) has only one bias; add this one to it"
      ))
    #expect(try line.names() == [])
  }

  @Test(
    "with a graph, the two biases of an LSTM are added up where a target has one",
    arguments: ["mlx", "tensorflow", "tflite", "coreml", "ncnn", "rtneural", "tfjs"])
  func summedBiases(target: String) throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("conventions/lstm.safetensors"), to: "l.safetensors")
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "lstm", "outputs": ["lstm"],
       "inputs": [{"name": "input", "shape": [5, 7]}],
       "layers": [{"name": "lstm", "operator": "LSTM", "inputs": ["input"],
        "attributes": {"units": 3, "recurrence": {"returns": "sequence"}}, "parameters": [
         {"role": "kernel", "tensor": "lstm.weight_ih_l0"},
         {"role": "recurrent", "tensor": "lstm.weight_hh_l0"},
         {"role": "bias", "tensor": "lstm.bias_ih_l0"},
         {"role": "recurrent_bias", "tensor": "lstm.bias_hh_l0"}]}]}
      """, to: "m.json")
    let result = try line.netconv(
      "convert", "l.safetensors", "out", "--model", "m.json", "--target", target, "--formats",
      target == "tfjs" ? "archive" : "npz")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors.contains(
        "the two biases of 1 recurrent layer are added: \(target) has only one"),
      "\(result.errors)")
    let verified = try line.netconv(
      "verify", "out", "--against", "l.safetensors", "--against-model", "m.json")
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    let same = try line.netconv("diff", "l.safetensors", "out", "--model", "m.json")
    #expect(same.status == 0, "\(same.output)\(same.errors)")
    #expect(same.output.contains("'lstm' has two biases in A and one in B"))

    // As PyTorch adds them; the gates of these have PyTorch's order.
    if ["mlx", "tensorflow"].contains(target) {
      let stored = try tensors(line.folder.bytes("l.safetensors"))
      let biases = try ["lstm.bias_ih_l0", "lstm.bias_hh_l0"].map { name in
        try #require(stored[name]).bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      }
      let written = try arrays(line.folder.file("out/model.npz"))
      let bias = try #require(written.first { $0.key.hasSuffix("bias") }).value
      #expect(bias.values == zip(biases[0], biases[1]).map { $0 + $1 })
    }
    // Another second bias is another network.
    try line.flip("l.safetensors", at: -574)
    let other = try line.netconv("diff", "l.safetensors", "out", "--model", "m.json")
    #expect(other.status == 1, "\(other.output)\(other.errors)")
  }

  @Test("both biases of an LSTM go where there are two", arguments: ["torch", "onnx"])
  func bothBiases(target: String) throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Fixtures.path("conventions/lstm.safetensors"), "o.npz", "--weights-only",
        "--target", target, "--convention", "torch", "-q"))
    #expect(try arrays(line.folder.file("o.npz")).count == 4)
  }

  @Test("what nothing tells is listed, and nothing is written")
  func listed() throws {
    let line = try CommandLine()
    for options in [["--convention", "torch"], []] {
      let result = try line.netconv(
        ["convert", Self.undecided, "o.safetensors", "--weights-only", "--target", "mlx", "-q"]
          + options)
      #expect(result.status == 65)
      #expect(result.errors.contains("target mlx has no known layout for 2 tensors"))
      #expect(
        result.errors.contains(
          "'body.0.weight' (4, 4, 3, 3): a convolution or a transposed convolution"))
      #expect(result.errors.contains("--no-strict keeps the source's"))
      #expect(try line.names() == [])
    }
    let kept = try line.netconv(
      "convert", Self.undecided, "o.safetensors", "--weights-only", "--target", "mlx",
      "--no-strict")
    #expect(kept.status == 0)
    #expect(kept.errors.contains("target mlx has no layout for 2 tensors"))
  }

  @Test("a target without a convention moves nothing, and is an error where something has to move")
  func withoutConvention() throws {
    let line = try CommandLine()
    let lenet = Fixtures.sample("pytorch-lenet/lenet.pt")
    let result = try line.netconv(
      "convert", lenet, "w.safetensors", "--target", "mlx", "--weights-only", "-q")
    expectError(
      result, 65,
      "\(lenet): target mlx has no known layout for 2 tensors; --convention names the source's layouts (torch, "
        + "mlx, tensorflow or keras), --layout those of single tensors, --keep leaves some as they are, and --no-strict keeps "
        + "the source's\n"
        + "  'features.0.weight' (8, 1, 5, 5): OIHW has to become OHWI\n"
        + "  'features.3.weight' (16, 8, 5, 5): OIHW has to become OHWI")
    #expect(try line.names() == [])
    for target in ["torch", "onnx"] {
      expectSuccess(
        try line.netconv("convert", lenet, target, "--target", target, "--weights-only", "-q"))
    }
    let named = try line.netconv(
      "convert", lenet, "w.safetensors", "--target", "mlx", "--weights-only", "--convention",
      "torch")
    #expect(named.status == 0)
    #expect(
      named.errors == """
        netconv: warning: 1 fully-connected kernel is written as a matrix, rows in the source's order; without a graph, \
        what a flatten before it merged is unknown
          'classifier.0.weight' (48, 400), perhaps after images of 8 or 16 channels

        """)
  }

  @Test("without a target weights keep the source's order, and the metadata says so")
  func withoutTarget() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv("convert", Self.torch, "o.safetensors", "--weights-only", "-q"))
    let bytes = try line.folder.bytes("o.safetensors")
    let length = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    let metadata = try jsonObject(bytes[8..<8 + length])["__metadata__"] as? [String: Any]
    #expect(metadata?["target"] as? String == "source")
    #expect(try tensors(bytes)["conv1.weight"]?.shape == [6, 3, 5, 3])
    expectError(
      try line.netconv(
        "convert", Self.torch, "p.npz", "--weights-only", "--convention", "torch"), 64,
      "--convention gives the layout of weights to transpose, but these keep the source's order; name a target, or "
        + "leave it out")
    let known = try line.netconv(
      "convert", Fixtures.sample("deep-mnist/deep-mnist.h5"), "q.npz", "--weights-only",
      "--target", "torch", "--convention", "torch")
    #expect(known.status == 64)
    #expect(known.errors.contains("the source states the layouts of its weights"))
  }

  // MARK: - Names of outputs, layers and tensors

  @Test(
    "a name that ends like a file that netconv does not write is refused",
    arguments: [
      "m.ort", "m.PT", "m.ckpt", "m.lite", "m.h5", "m.weights.h5", "m.Keras", "m.json",
    ])
  func endings(name: String) throws {
    let line = try CommandLine()
    let source = Fixtures.sample("deep-mnist/deep-mnist.h5")
    let result = try line.netconv("convert", source, name)
    #expect(result.status == 64)
    #expect(result.errors.contains("'\(name)' ends in ."))
    #expect(result.errors.contains("name a folder"))
    #expect(try line.names() == [])
    // With a slash it is a folder's.
    expectSuccess(try line.netconv("convert", source, name + "/", "-q"))
    #expect(try line.names(in: name).contains("manifest.json"))
  }

  @Test("endings count in capitals too, and standard output is no place for a conversion")
  func capitals() throws {
    let line = try CommandLine()
    let source = Fixtures.sample("deep-mnist/deep-mnist.h5")
    for name in ["m.SAFETENSORS", "m.NetPack", "m.Npz"] {
      expectSuccess(try line.netconv("convert", source, name, "-q"))
      #expect(!(try line.folder.bytes(name)).isEmpty)
    }
    expectError(
      try line.netconv("convert", source, "-"), 64,
      "a conversion cannot be written to standard output ('-'); name a folder, or a file that ends "
        + "in .netpack, .safetensors or .npz")
    expectSuccess(
      try line.netconv(
        "convert", Fixtures.sample("pytorch-lenet/lenet.pt"), "--into", "all", "--weights-only",
        "-q"))
    #expect(try line.names(in: "all") == ["lenet"])
  }

  @Test("a naming that gives several tensors one name is refused")
  func naming() throws {
    let line = try CommandLine()
    let source = Fixtures.sample("deep-mnist/deep-mnist.h5")
    expectError(
      try line.netconv("convert", source, "o.npz", "--naming", "{layer}"), 64,
      "naming '{layer}' gives 2 tensors the name 'conv1'; add {role} to it\n"
        + "  'conv1' kernel\n  'conv1' bias")
    let roles = try line.netconv("convert", source, "o.npz", "--naming", "x_{role}")
    #expect(roles.status == 64 && roles.errors.contains("add {layer} to it"))
    #expect(try line.names() == [])
    // Where each layer has one tensor, its name is enough.
    try line.folder.write(npy("<f4", "(1, 2)", [UInt8](repeating: 0, count: 8)), to: "one.npy")
    expectSuccess(
      try line.netconv(
        "convert", "one.npy", "one.npz", "--weights-only", "--naming", "{layer}", "-q"))
    #expect(try arrays(line.folder.file("one.npz")).keys.sorted() == ["one"])
  }

  @Test("layers of any source get other names")
  func renamed() throws {
    let line = try CommandLine()
    let source = Fixtures.sample("deep-mnist/deep-mnist.h5")
    let options = ["--rename", "conv1=first", "--rename", "fc2=scores"]
    expectSuccess(try line.netconv(["convert", source, "o", "--target", "torch", "-q"] + options))
    let tensors = try tensors(line.folder.bytes("o/model.safetensors"))
    #expect(
      Set(tensors.keys)
        == Set(["first", "conv2", "fc1", "scores"].flatMap { ["\($0).weight", "\($0).bias"] }))
    expectSuccess(try line.netconv(["verify", "o", "--against", source, "--limit", "50", "-q"]))
    let lenet = Fixtures.sample("pytorch-lenet/lenet.pt")
    expectSuccess(
      try line.netconv(
        "convert", lenet, "l.npz", "--weights-only", "--target", "torch", "--rename",
        "features.0=conv1", "-q"))
    #expect(try arrays(line.folder.file("l.npz"))["conv1.weight"]?.shape == [8, 1, 5, 5])
    expectSuccess(
      try line.netconv("diff", lenet, "l.npz", "--rename", "features.0=conv1", "-q"))
    for (rename, message) in [
      ("conv9=x", "there is no layer 'conv9' to rename"), ("conv1=conv2", "conv2"),
      ("conv1=", "expected OLD=NEW"),
    ] {
      let result = try line.netconv("convert", source, "no", "--rename", rename)
      #expect(result.status != 0 && result.errors.contains(message), "\(result.errors)")
    }
    #expect(try line.names() == ["l.npz", "o"])
  }
}
