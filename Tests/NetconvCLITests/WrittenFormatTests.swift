import Files
import Foundation
import TestSupport
import Testing

/// Files as other programs write them: `gguf`, mlx and huggingface_hub made the fixtures.
@Suite("GGUF, MLX's quantisation, shards and merged adapters as output")
struct WrittenFormatTests {
  private static func fixture(_ name: String) -> String { Fixtures.path("written/" + name) }

  private static func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// The header of a safetensors file without its metadata, and the bytes of each tensor.
  private static func tensors(_ data: Data) throws -> [String: [String]] {
    let length = data.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    let header = try #require(
      try JSONSerialization.jsonObject(with: data[8..<8 + length]) as? [String: [String: Any]])
    var tensors: [String: [String]] = [:]
    for (name, entry) in header where name != "__metadata__" {
      let offsets = try #require(entry["data_offsets"] as? [Int])
      let values = data[8 + length + offsets[0]..<8 + length + offsets[1]]
      tensors[name] = [
        "\(entry["dtype"] ?? "") \(entry["shape"] ?? "")", values.base64EncodedString(),
      ]
    }
    return tensors
  }

  // MARK: - GGUF

  @Test(
    "a GGUF file has the bytes that gguf-py writes",
    arguments: [
      ("q8_0", ["--quantize", "q8_0"]), ("q4_0", ["--quantize", "Q4_0"]), ("f32", []),
      ("f16", ["--dtype", "float16"]), ("bf16", ["--dtype", "bfloat16"]),
    ])
  func gguf(name: String, options: [String]) throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        ["convert", Self.fixture("float32.safetensors"), "out.gguf", "--weights-only", "--quiet"]
          + options))
    #expect(
      try Self.bytes(line.folder.file("out.gguf")) == Self.bytes(Self.fixture(name + ".gguf")))
    // An earlier output is replaced, another program's is not.
    try line.folder.copy(Fixtures.path("gguf/kinds.gguf"), to: "theirs.gguf")
    for (file, status): (String, Int32) in [("out.gguf", 0), ("theirs.gguf", 73)] {
      let again = try line.netconv([
        "convert", Self.fixture("float32.safetensors"), file, "--weights-only", "--quiet",
        "--force",
      ])
      #expect(again.status == ExitCode(status), "\(file): \(again.errors)")
    }
  }

  @Test("netconv reads its GGUF file back, and says which tensors are not quantised")
  func ggufRead() throws {
    let line = try CommandLine()
    let source = Self.fixture("float32.safetensors")
    try line.prepare("convert", source, "f32.gguf", "--weights-only", "--quiet")
    // GGUF has no scalars.
    let same = try line.netconv("diff", source, "f32.gguf")
    #expect(same.status == 1)
    #expect(same.output.contains("scale: the shapes differ, () () in A, C (1) in B"))
    #expect(same.output.contains("different: 6 equal, 1 of another shape"))
    let found = try line.netconv(
      "convert", source, "q.gguf", "--weights-only", "--quantize", "q4_0")
    #expect(found.status == 0)
    #expect(
      found.errors.contains(
        """
        3 weights are quantised as Q4_0; 1 tensor that does not fit its blocks is not
          'layer.narrow.weight' (6, 40)
        """))
    #expect(found.output.contains("equal to the source rounded to Q4_0"))
  }

  // MARK: - MLX

  @Test(
    "tensors have the bytes of mlx.core.quantize",
    arguments: [
      ("float32", 2, 64), ("float32", 3, 64), ("float32", 4, 64), ("float32", 6, 64),
      ("float32", 8, 64), ("float16", 4, 32), ("bfloat16", 4, 32), ("bfloat16", 8, 64),
    ])
  func mlx(type: String, bits: Int, size: Int) throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Self.fixture(type + ".safetensors"), "out", "--weights-only", "--quantize",
        size == 64 ? "mlx-\(bits)bit" : "mlx-\(bits)bit/\(size)", "--dtype", type, "--quiet"))
    let found = try Self.tensors(Self.bytes(line.folder.file("out/model.safetensors")))
    let expected = try Self.tensors(
      Self.bytes(Self.fixture("mlx-\(type)-\(bits)bit-\(size).safetensors")))
    #expect(found.keys.sorted() == expected.keys.sorted())
    for (name, tensor) in expected { #expect(found[name] == tensor, "\(name)") }
    #expect(
      String(decoding: try line.folder.bytes("out/config.json"), as: UTF8.self)
        == "{\n  \"quantization\": {\n    \"bits\": \(bits),\n    \"group_size\": \(size)\n  }\n}\n"
    )
    let listed = try line.netconv("inspect", "out/model.safetensors", "--tensors")
    #expect(listed.output.contains("MLX \(bits) bits/\(size)"), "\(listed.errors)")
    expectSuccess(try line.netconv("inspect", "out", "--quiet"))
  }

  @Test("a folder has the values of quantised weights, not their codes", arguments: ["", "2KB"])
  func mlxFolder(shardSize: String) throws {
    let line = try CommandLine()
    let shards = shardSize.isEmpty ? [] : ["--shard-size", shardSize]
    expectSuccess(
      try line.netconv(
        ["convert", Self.fixture("float32.safetensors"), "out", "--weights-only", "--quiet"]
          + ["--quantize", "mlx-4bit"] + shards))
    let file = "out/model.safetensors" + (shardSize.isEmpty ? "" : ".index.json")
    for source in ["out", file] {
      expectSuccess(
        try line.netconv(
          "convert", source, source == "out" ? "folder.npz" : "file.npz", "--weights-only",
          "--quiet"))
    }
    let (folder, expected) = (
      try arrays(line.folder.file("folder.npz")), try arrays(line.folder.file("file.npz"))
    )
    #expect(folder["layer.special.weight"]?.shape == [12, 128])
    #expect(folder.keys.sorted() == expected.keys.sorted())
    for (name, array) in expected {
      let isSame = folder[name]?.values == array.values
      #expect(isSame, "\(name)")
    }
    expectSuccess(try line.netconv("diff", "out", file, "--quiet"))
    expectSuccess(
      try line.netconv(
        "convert", "out", "renamed", "--weights-only", "--rename", "s/^layer/other/", "--quiet"))
    #expect(try line.netconv("inspect", "out").output.contains("MLX 4 bits/64"))
    let codes = try line.netconv("convert", "out", "codes", "--weights-only", "--raw", "--quiet")
    #expect(codes.status == 65 && codes.errors.contains("holds the code"))
  }

  @Test("shards hold quantised weights too")
  func mlxShards() throws {
    let line = try CommandLine()
    try line.prepare(
      "convert", Self.fixture("float32.safetensors"), "out", "--weights-only", "--quantize",
      "mlx-4bit", "--shard-size", "2KB", "--quiet")
    let listed = try line.netconv("inspect", "out/model.safetensors.index.json", "--tensors")
    #expect(listed.output.contains("MLX 4 bits/64"), "\(listed.errors)")
  }

  // MARK: - Shards

  @Test("the index is huggingface_hub's, and the shards hold the source", arguments: [1, 3, 7])
  func shards(size: Int) throws {
    let line = try CommandLine()
    let source = Self.fixture("float32.safetensors")
    try line.prepare(
      "convert", source, "out", "--weights-only", "--shard-size", "\(size)KB", "--quiet")
    let index = try Self.bytes(Self.fixture("index-\(size)KB.json"))
    #expect(try Self.bytes(line.folder.file("out/model.safetensors.index.json")) == index)
    let document = try #require(
      try JSONSerialization.jsonObject(with: index) as? [String: [String: Any]])
    let map = try #require(document["weight_map"] as? [String: String])
    #expect(
      try line.names(in: "out")
        == (["manifest.json", "model.safetensors.index.json"] + Set(map.values)).sorted())
    let whole = try Self.tensors(Self.bytes(source))
    var found: [String: [String]] = [:]
    for name in Set(map.values) {
      let shard = try Self.tensors(Self.bytes(line.folder.file("out/" + name)))
      #expect(shard.keys.sorted() == map.filter { $0.value == name }.keys.sorted())
      found.merge(shard) { first, _ in first }
    }
    #expect(found == whole)
    for path in ["out", "out/model.safetensors.index.json"] {
      expectSuccess(try line.netconv("diff", source, path, "--quiet"))
    }
    expectSuccess(
      try line.netconv(
        "convert", source, "out", "--weights-only", "--shard-size", "1MiB", "--quiet", "--force"))
    #expect(
      try line.names(in: "out") == [
        "manifest.json", "model-00001-of-00001.safetensors", "model.safetensors.index.json",
      ])
  }

  @Test("a shard or an index that was changed is found")
  func damagedShards() throws {
    let line = try CommandLine()
    try line.prepare(
      "convert", Self.fixture("float32.safetensors"), "out", "--weights-only", "--shard-size",
      "3KB",
      "--quiet")
    try line.replace(
      "\"norm.weight\": \"model-00004", with: "\"norm.weight\": \"model-00001",
      in: "out/model.safetensors.index.json")
    let index = try line.netconv("inspect", "out", "--quiet")
    #expect(index.status == 65)
    #expect(index.errors.contains("names 'model-00001-of-00004.safetensors' for 'norm.weight'"))
    try line.prepare(
      "convert", Self.fixture("float32.safetensors"), "more", "--weights-only", "--shard-size",
      "3KB", "--quiet")
    try line.flip("more/model-00002-of-00004.safetensors", at: -1)
    #expect(try line.netconv("convert", "more", "again", "--weights-only", "--quiet").status == 65)
  }

  // MARK: - Adapters

  @Test(
    "a merged adapter is what PEFT makes of it",
    arguments: ["llama", "gpt2", "kinds", "biases", "lora-only", "dora", "dora-conv1d"])
  func adapters(name: String) throws {
    let line = try CommandLine()
    let folder = Fixtures.path("adapters/\(name)/")
    try line.prepare(
      "convert", folder + "base.safetensors", "out.safetensors", "--weights-only", "--adapter",
      folder + "adapter", "--quiet")
    let same = try line.netconv("diff", folder + "merged.safetensors", "out.safetensors", "--quiet")
    #expect(same.status == 0, "\(same.output)\(same.errors)")
    let other = try line.netconv("diff", folder + "base.safetensors", "out.safetensors", "--quiet")
    #expect(other.status == 1, "\(other.output)\(other.errors)")
  }

  @Test("an adapter is merged before tensors are renamed")
  func adapterAndNames() throws {
    let line = try CommandLine()
    let folder = Fixtures.path("adapters/llama/")
    for (name, source, options) in [
      ("at-once", "base", ["--adapter", folder + "adapter"]), ("after", "merged", []),
    ] {
      expectSuccess(
        try line.netconv(
          ["convert", folder + source + ".safetensors", "\(name).safetensors", "--weights-only"]
            + options + ["--rename", "s/^model/renamed/", "--quiet"]))
    }
    expectSuccess(try line.netconv("diff", "after.safetensors", "at-once.safetensors", "--quiet"))
    let layers = try line.netconv("inspect", "at-once.safetensors").output
    #expect(layers.contains("renamed.layers.0") && !layers.contains("model.layers"))
  }

  @Test("the manifest and the summary say that an adapter was merged")
  func recorded() throws {
    let line = try CommandLine()
    let folder = Fixtures.path("adapters/llama/")
    let found = try line.netconv(
      "convert", folder + "base.safetensors", "out", "--weights-only", "--adapter",
      folder + "adapter")
    let text =
      "the adapter 'adapter' (LoRA, rank 4, alpha 8) was merged into 6 tensors, and replaced 1 tensor"
    #expect(found.errors.contains(text))
    let manifest = String(decoding: try line.folder.bytes("out/manifest.json"), as: UTF8.self)
    #expect(manifest.contains(text))
  }
}
