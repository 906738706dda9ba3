import Foundation
import ModelIR
import TestSupport
import Testing

/// Output of `netconv relate` about the consumer of B, and of `--map` about the rule.
@Suite("relate: consumers and maps")
struct RelateConsumerTests {
  private static let mnist = Fixtures.sample("deep-mnist/deep-mnist.h5")

  /// A folder with Deep MNIST, and the map of its way to PyTorch.
  private func mapped() throws -> (line: CommandLine, map: String) {
    let line = try CommandLine()
    try line.folder.copy(Self.mnist, to: "ckpt.h5")
    expectSuccess(
      try line.netconv("convert", "ckpt.h5", "torch.safetensors", "--target", "torch", "-q"))
    let result = try line.netconv(
      "relate", "ckpt.h5", "torch.safetensors", "--map", "map.json")
    expectSuccess(result)
    #expect(result.output.contains("\nwrote map.json: how to make 8 tensors\n"))
    return (line, String(decoding: try line.folder.bytes("map.json"), as: UTF8.self))
  }

  /// The map with another rule for a kernel.
  private func changed(
    _ map: String, _ line: CommandLine, _ rules: [(String, String)]
  ) throws {
    var map = map
    for (old, new) in rules {
      #expect(map.contains(old))
      map = map.replacing(old, with: new)
    }
    try line.folder.write(Array(map.utf8), to: "changed.json")
    expectSuccess(
      try line.netconv(
        "convert", "ckpt.h5", "changed.npz", "--map", "changed.json", "--force", "-q"))
  }

  @Test("kernels that were not transposed, transposed twice, or flattened in another order")
  func mistakes() throws {
    let (line, map) = try mapped()
    let toTorch = "\"h w i o -> o i h w\""
    let shape = "\"shape\": [64, 32, 5, 5]"
    let cases: [([(String, String)], String)] = [
      ([], "for torch: 8 of 8 tensors have the right layout\n\ncomplete: 8 related\n"),
      (
        [(toTorch, "\"h w i o -> h w i o\""), (shape, "\"shape\": [5, 5, 32, 64]")],
        """
        for torch: 7 of 8 tensors have the right layout
        not transposed: conv2.weight
          HWIO in A, OIHW for torch: rearrange(tensor of A, 'h w i o -> o i h w')

        complete: 8 related; not as torch expects them: 1

        """
      ),
      (
        [(toTorch, "\"h w i o -> w h o i\""), (shape, "\"shape\": [5, 5, 64, 32]")],
        """
        for torch: 7 of 8 tensors have the right layout
        transposed twice: conv2.weight
          HWIO in A, OIHW for torch: rearrange(tensor of A, 'h w i o -> o i h w')

        complete: 8 related; not as torch expects them: 1

        """
      ),
      (
        [("-> o (i h w)", "-> o (h w i)")],
        """
        for torch: 7 of 8 tensors have the right layout
        transposed, but with the flatten in its old order: fc1.weight
          (HWI)O in A, O(IHW) for torch: rearrange(tensor of A, '(h w i) o -> o (i h w)', h=7, w=7)

        complete: 8 related; not as torch expects them: 1

        """
      ),
      (
        [(toTorch, "\"h w i o -> o i w h\"")],
        """
        for torch: 7 of 8 tensors have the right layout
        transposed, but to another order: conv2.weight
          HWIO in A, OIHW for torch: rearrange(tensor of A, 'h w i o -> o i h w')

        complete: 8 related; not as torch expects them: 1

        """
      ),
    ]
    for (rules, words) in cases {
      try changed(map, line, rules)
      let result = try line.netconv("relate", "ckpt.h5", "changed.npz", "--target", "torch")
      #expect(result.status == (rules.isEmpty ? 0 : 1), "\(rules)")
      #expect(result.output.hasSuffix("\n" + words), "\(result.output)")
      // Nobody says who reads an .npz, so that nothing is wrong with it; all targets are looked at.
      let open = try line.netconv("relate", "ckpt.h5", "changed.npz")
      #expect(open.status == 0, "\(rules)")
      #expect(
        open.output.contains("\nB has the layouts of: torch") == rules.isEmpty,
        "\(open.output)")
    }
  }

  @Test("kernels that lay as they should in A, and were moved")
  func moved() throws {
    let (line, map) = try mapped()
    try changed(map, line, [])
    // The other way round: PyTorch's weights in a Keras file, taken as they are.
    let right = try line.netconv("relate", "torch.safetensors", "ckpt.h5")
    expectSuccess(right)
    #expect(
      right.output.contains(
        "\nfor tensorflow, as B's layouts say: 8 of 8 tensors have the right layout\n"))
    let result = try line.netconv(
      "relate", "ckpt.h5", "torch.safetensors", "--target", "tensorflow")
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        """

        transposed, but already in the target's layout: conv1.weight, conv2.weight
          HWIO in A, HWIO for tensorflow: use it as it is in A
        transposed, but already in the target's layout: fc1.weight
          (HWI)O in A, (HWI)O for tensorflow: use it as it is in A
        transposed, but already in the target's layout: fc2.weight
          IO in A, IO for tensorflow: use it as it is in A

        complete: 8 related; not as tensorflow expects them: 4

        """), "\(result.output)")
  }

  @Test("a map makes the same tensors of other weights, byte for byte")
  func map() throws {
    let (line, _) = try mapped()
    for ending in ["safetensors", "npz"] {
      expectSuccess(
        try line.netconv("convert", "ckpt.h5", "made.\(ending)", "--map", "map.json", "-q"))
      let made = try line.netconv("relate", "torch.safetensors", "made.\(ending)")
      expectSuccess(made)
      #expect(made.output.components(separatedBy: ", as it is\n").count == 9)
    }
    expectSuccess(try line.netconv("convert", "ckpt.h5", "out", "--map", "map.json", "-q"))
    let related = try line.netconv("relate", "torch.safetensors", "out", "--json")
    expectSuccess(related)
    #expect(related.output.components(separatedBy: "\"summary\": \"as it is\"").count == 9)
    // There already, and not a map.
    let again = try line.netconv("relate", "ckpt.h5", "out", "--map", "map.json")
    #expect(again.status == 73)
    expectSuccess(
      try line.netconv("relate", "ckpt.h5", "out", "--map", "map.json", "--force", "-q"))
    let other = try line.netconv("relate", "ckpt.h5", "out", "--map", "ckpt.h5", "--force")
    #expect(other.status == 73)
  }

  @Test("a tensor that a map joins names each of its sources")
  func joined() throws {
    let line = try CommandLine()
    let (a, b): ([Float], [Float]) = ([0.5, -1.25, 3, 7.5], [2.75, -6, 11, 0.125])
    let pairs = { (values: [Float]) in
      NDArray(shape: [values.count / 2, 2], values: values)
    }
    try writeArchive([("a", pairs(a)), ("b", pairs(b))], to: line.folder.file("parts.npz"))
    try writeArchive([("c", pairs(a + b))], to: line.folder.file("whole.npz"))
    expectSuccess(try line.netconv("relate", "parts.npz", "whole.npz", "--map", "map.json", "-q"))
    expectSuccess(try line.netconv("convert", "parts.npz", "out", "--map", "map.json", "-q"))
    let manifest = String(decoding: try line.folder.bytes("out/manifest.json"), as: UTF8.self)
    #expect(manifest.contains("\"path\": \"a + b\""), "\(manifest)")
    expectSuccess(try line.netconv("relate", "whole.npz", "out", "-q"))
  }

  @Test("a map that does not fit is refused, and nothing is written")
  func refusals() throws {
    let (line, map) = try mapped()
    let cases: [(String, String, String)] = [
      (
        "/model_weights/fc2/fc2/bias:0", "/fc9/bias",
        "the weights have 1 tensor that this map does not mention"
      ),
      (
        "\"shape\": [5, 5, 32, 64]", "\"shape\": [5, 5, 32, 60]",
        "results in shape (5, 5, 32, 64), and the map expects (5, 5, 32, 60)"
      ),
      (
        "\"shape\": [64, 32, 5, 5]", "\"shape\": [64, 32, 25]",
        "results in shape (64, 32, 5, 5), and the map expects (64, 32, 25)"
      ),
      ("h w i o -> o i h w", "h w i o -> o i h", "is not a rearrangement"),
      ("h w i o -> o i h w", "h w i -> i h w", "does not fit an array of the shape (5, 5, 32, 64)"),
      ("\"dtype\": \"float32\"", "\"dtype\": \"float33\"", "has the type 'float33'"),
      (
        "\"shape\": [64, 32, 5, 5]", "\"shape\": [4611686018427387904, 32, 5, 5]",
        "multiply to more than this machine can count"
      ),
      (
        "\"unrelated\": []", "\"unrelated\": [\"conv9.weight\"]",
        "does not say how to make 1 tensor"
      ),
      ("\"version\": 1", "\"version\": 2", "version"),
      ("\"dtype\"", "\"typ\"", "typ"),
    ]
    for (old, new, words) in cases {
      #expect(map.contains(old), "\(old)")
      try line.folder.write(Array(map.replacing(old, with: new).utf8), to: "bad.json")
      let result = try line.netconv("convert", "ckpt.h5", "bad.npz", "--map", "bad.json")
      #expect(result.status == 65, "\(new)")
      #expect(result.errors.contains(words), "\(result.errors)")
      #expect(result.errors.contains("bad.json"), "\(result.errors)")
      #expect(try !line.folder.files().contains("bad.npz"))
    }
    let other = try line.netconv(
      "convert", Fixtures.sample("lenet-blobs"), "bad.npz", "--map", "map.json")
    #expect(other.status == 65)
    let both = try line.netconv(
      "convert", "ckpt.h5", "bad.npz", "--map", "map.json", "--dtype", "float16")
    #expect(both.status == 64)
    #expect(
      both.errors.contains(
        "a map defines the output; leave out other changes of the network"))
  }

  @Test("what values do not tell is decided by names, or left to a person")
  func candidates() throws {
    let line = try CommandLine()
    for folder in ["a", "b"] {
      try line.folder.copy(Fixtures.sample("lenet-blobs"), to: folder)
      try line.folder.write([UInt8](repeating: 0, count: 32), to: "\(folder)/conv1_b.bin")
    }
    let named = try line.netconv("relate", "a", "b", "--map", "named.json")
    expectSuccess(named)
    #expect(
      named.output.contains(
        "how to make 8 tensors\n  1 tensor by name, since values do not tell them apart\n"))
    expectSuccess(
      try line.netconv("convert", Fixtures.sample("lenet-blobs"), "c", "--map", "named.json", "-q"))
    expectSuccess(try line.netconv("relate", Fixtures.sample("lenet-blobs"), "c", "-q"))
  }
}
