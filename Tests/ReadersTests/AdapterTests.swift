import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// LoRA adapters, compared with the weights that PEFT's `merge_and_unload` made.
@Suite("Adapters")
struct AdapterTests {
  private static func fixture(_ name: String) -> String { Fixtures.path("adapters/" + name) }

  private static func read(_ path: String) throws -> ReadSource {
    try ReaderRegistry.read(path, ReaderOptions(acceptsWeights: true))
  }

  private static func merged(_ name: String) throws -> ReadSource {
    try read(fixture(name + "/base.safetensors")).merging(Adapter(fixture(name + "/adapter")))
  }

  private static func values(_ source: ReadSource) throws -> [String: [Float]] {
    var values: [String: [Float]] = [:]
    for tensor in source.network.tensors { values[tensor.stored.path] = try tensor.values() }
    return values
  }

  @Test(
    "merged weights are PEFT's, bit for bit where sums are exact",
    arguments: ["llama", "gpt2", "kinds", "biases", "lora-only", "dora", "dora-conv1d"])
  func exact(name: String) throws {
    let expected = try Self.values(Self.read(Self.fixture(name + "/merged.safetensors")))
    let base = try Self.values(Self.read(Self.fixture(name + "/base.safetensors")))
    let found = try Self.values(Self.merged(name))
    #expect(found.keys.sorted() == expected.keys.sorted())
    #expect(base != expected)
    for (tensor, values) in expected {
      #expect(found[tensor]?.map(\.bitPattern) == values.map(\.bitPattern), "\(name) \(tensor)")
    }
  }

  @Test("random weights differ from PEFT's by the rounding of its float32 sums")
  func random() throws {
    let expected = try Self.values(Self.read(Self.fixture("real/merged.safetensors")))
    let found = try Self.values(Self.merged("real"))
    for (tensor, values) in expected {
      for (value, other) in zip(values, try #require(found[tensor])) {
        // Sums of 8 products and norms of 40 squares in float32: a few units in the last place of the largest term.
        #expect(abs(value - other) <= 2e-6 * max(8, abs(value)), "\(tensor)")
      }
    }
  }

  @Test("parts of a merged weight are those of the whole", arguments: ["gpt2", "dora", "kinds"])
  func parts(name: String) throws {
    for tensor in try Self.merged(name).network.tensors {
      let all = try tensor.values()
      for range in [0..<1, 1..<all.count, all.count / 2..<all.count / 2 + 2, 2..<2]
      where range.upperBound <= all.count {
        let part: [Float] = try tensor.stored.source.values(range)
        #expect(part == Array(all[range]), "\(tensor.stored.path) \(range)")
      }
    }
  }

  @Test("the type of a merged weight is that of the base")
  func types() throws {
    let types = Set(try Self.merged("llama").network.tensors.map(\.stored.source.elementType))
    #expect(types == [.bfloat16])
  }

  @Test("names that lack the inner model's are found, and it is said")
  func names() throws {
    let notes = try Self.merged("gpt2").notes.map(\.text)
    #expect(notes.contains { $0.contains("begin with 'transformer.', the base's do not") })
    #expect(notes.contains { $0.contains("(rsLoRA, rank 3, alpha 5) was merged into 7 tensors") })
    let llama = try Self.merged("llama").notes.map(\.text)
    #expect(llama.contains { $0.contains("merged into 6 tensors, and replaced 1 tensor;") })
  }

  @Test("a single adapter is listed as what it is")
  func listed() throws {
    for path in ["llama/adapter", "llama/adapter/adapter_model.safetensors"] {
      let source = try Self.read(Self.fixture(path))
      #expect(source.format == "peft")
      let facts = Dictionary(uniqueKeysWithValues: source.facts.map { ($0.key, $0.text) })
      #expect(facts["r"] == "4" && facts["lora_alpha"] == "8")
      #expect(facts["target_modules"] == "down_proj, q_proj, v_proj")
      #expect(facts["base_model_name_or_path"] == "tiny/llama")
      #expect(
        source.notes.map(\.text) == [
          "these are the tensors of an adapter, not of a network: LORA, rank 4, alpha 8, for 'down_proj', 'q_proj', "
            + "'v_proj', of the model 'tiny/llama'"
        ])
    }
  }

  // MARK: - Refusals

  /// The error of an adapter whose configuration, weights or base are changed.
  private static func problem(
    _ name: String, config: [(String, String)] = [], weights: [(String, String)] = [],
    base: [(String, String)] = []
  ) throws -> NetconvError? {
    let folder = try TemporaryFolder()
    func write(_ file: String, _ changes: [(String, String)], to copy: String) throws {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: fixture(file)))
      for (old, new) in changes {
        let range = try #require(bytes.range(of: Data(old.utf8)), "\(old) in \(file)")
        bytes.replaceSubrange(range, with: Data(new.utf8))
      }
      try folder.write(bytes, to: copy)
    }
    let place = name == "ia3" ? name : name + "/adapter"
    try write(place + "/adapter_config.json", config, to: "adapter_config.json")
    try write(place + "/adapter_model.safetensors", weights, to: "adapter_model.safetensors")
    try write((name == "ia3" ? "kinds" : name) + "/base.safetensors", base, to: "base.safetensors")
    let source = try read(folder.file("base.safetensors"))
    return thrown { try source.merging(Adapter(folder.path)) }
  }

  @Test("an unchanged copy is no problem")
  func copy() throws {
    #expect(try Self.problem("kinds") == nil)
  }

  @Test("other methods, settings that change the sum, and other base weights are named")
  func settings() throws {
    let cases = [
      ("\"LORA\"", "\"LOHA\"", "the adapter's peft_type is 'LOHA', and only 'LORA' is merged"),
      ("\"LORA\"", "null", "the adapter's peft_type is missing"),
      ("\"r\": 4", "\"r\": 0", "the value of 'r' is missing or of another kind"),
      ("\"lora_alpha\": 6", "\"alpha\": 6", "sets 'alpha' to 6"),
      ("\"lora_alpha\": 6,", "", "the value of 'lora_alpha' is missing"),
      ("\"use_qalora\": false", "\"use_qalora\": true", "sets 'use_qalora' to true"),
      (
        "\"layer_replication\": null", "\"layer_replication\": [[0, 2]]",
        "sets 'layer_replication' to [[0, 2]]"
      ),
      (
        "\"init_lora_weights\": true", "\"init_lora_weights\": \"pissa\"",
        "begins with other base weights"
      ),
      ("\"alpha_pattern\": {}", "\"alpha_pattern\": {\"(?=x)\": 1}", "'(?=x)' of 'alpha_pattern'"),
      (
        "\"alpha_pattern\": {}", "\"alpha_pattern\": {\"conv1\": 1, \"con.*\": 2}",
        "several patterns of 'alpha_pattern' with different values match 'conv1'"
      ),
      ("\"use_dora\": false", "\"use_dora\": true", "has no 'lora_magnitude_vector' for it"),
      ("\"lora_bias\": false", "\"lora_bias\": true", "has no 'lora_B.bias' for it"),
      ("\"r\": 4", "\"r\": 2", "but the configuration says that the rank is 2"),
      (
        "\"rank_pattern\": {}", "\"rank_pattern\": {\"conv2\": 8}",
        "but the configuration says that the rank is 8"
      ),
    ]
    for (old, new, text) in cases {
      let error = try Self.problem("kinds", config: [(old, new)])
      #expect(error?.kind == .badData, "\(new)")
      #expect(error?.message.contains(text) == true, "\(new): \(error?.message ?? "none")")
    }
    let error = try Self.problem("ia3")
    #expect(error?.message.contains("'IA3'") == true)
  }

  @Test("tensors without counterpart, of other shapes and of other kinds are named")
  func tensors() throws {
    let unmatched = try Self.problem("kinds", weights: [("model.conv2.", "model.conv9.")])
    let lines = String(describing: unmatched?.lines.joined(separator: " "))
    #expect(lines.contains("'conv9.weight'") && !lines.contains("base_layer"))
    let half = try Self.problem(
      "kinds", weights: [("conv2.lora_A.weight", "conv2.lora_C.weight")])
    #expect(half?.message.contains("is a part of an adapter that netconv does not know") == true)
    let shape = try Self.problem("kinds", base: [("[6,3,2,4]", "[6,3,4,2]")])
    #expect(shape?.message.contains("is for a weight of shape [6, 3, 2, 4], but the base") == true)
    let bias = try Self.problem("kinds", weights: [("model.square.bias", "model.norm.weight")])
    #expect(bias?.message.contains("has the shape [7] in the adapter, but [10]") == true)
    let dora = try Self.problem("dora", config: [("\"use_dora\": true", "\"use_dora\": false")])
    #expect(dora?.message.contains("but 'use_dora' is not set") == true)
    let lora = try Self.problem("biases", config: [("\"lora_bias\": true", "\"lora_bias\": false")])
    #expect(lora?.message.contains("but 'lora_bias' is not set") == true)
    let prefix = try Self.problem(
      "kinds", weights: [("base_model.model.norm.bias", "base_model.modes.norm.bias")])
    #expect(prefix?.message.contains("does not begin with 'base_model.model.'") == true)
  }

  @Test("shapes decide the order of a matrix; a square one that they contradict is an error")
  func order() throws {
    // The setting is wrong for every layer, which PEFT corrects by the class of each.
    let flag = ("\"fan_in_fan_out\": true", "\"fan_in_fan_out\": false")
    let error = try Self.problem("dora-conv1d", config: [flag])
    #expect(error?.message.contains("is square, and 'fan_in_fan_out' does not say") == true)
    #expect(try Self.problem("kinds", config: [(flag.1, flag.0)]) == nil)
  }

  @Test("a missing configuration or missing weights are named")
  func missing() throws {
    let folder = try TemporaryFolder()
    let absent = thrown { try Adapter(folder.file("absent")) }
    #expect(absent?.kind == .cannotOpen && absent?.file == folder.file("absent"))
    let none = thrown { try Adapter(folder.path) }
    #expect(none?.kind == .cannotOpen && none?.message.contains("no adapter_model") == true)
    let path = try folder.copy(
      Self.fixture("kinds/adapter/adapter_model.safetensors"), to: "adapter_model.safetensors")
    for path in [path, folder.path] {
      let error = thrown { try Adapter(path) }
      #expect(error?.kind == .cannotOpen)
      #expect(error?.message.contains("there is no adapter_config.json") == true)
    }
  }

  @Test("magnitudes after another adapter are an error")
  func twice() throws {
    let first = try Self.merged("dora")
    let error = thrown { try first.merging(Adapter(Self.fixture("dora/adapter"))) }
    #expect(error?.message.contains("another adapter was merged into it before") == true)
  }
}

/// Patterns for names of modules; Python's `re.match(rf"(.*\.)?({pattern})$", name)` gave the expectations.
@Suite("Module patterns")
struct ModulePatternTests {
  @Test(
    "patterns match whole components, as in Python",
    arguments: [
      ("q_proj", "model.layers.0.q_proj", true), ("q_proj", "q_proj", true),
      ("q_proj", "seq_proj", false), ("q_proj", "q_proj.x", false), ("^q", "a.q", false),
      ("^a.q", "a.q", true), ("a.q", "abq", true), (#"a\.q"#, "abq", false),
      (#"layers\.\d+\.(down|up)_proj"#, "x.layers.12.up_proj", true),
      (#"layers\.\d+\.(down|up)_proj"#, "x.layers.z.up_proj", false),
      ("layers.[01].q", "layers.1.q", true), ("layers.[^01].q", "layers.1.q", false),
      ("layers.[2-4].q", "layers.3.q", true), (".*", "anything.at.all", true),
      ("(?:a|b)+c", "ababc", true), ("(a*)*b", "aaaa", false), ("ab?c", "ac", true),
      ("q|k", "x.k", true), (#"\w+_proj$"#, "x.o_proj", true),
    ])
  func matches(pattern: String, name: String, expected: Bool) throws {
    let pattern = try #require(ModulePattern(pattern))
    #expect(pattern.matches(name) == expected)
  }

  @Test(
    "other syntax is refused",
    arguments: ["(?=a)", "a{2}", #"\s"#, "a++", "*a", "(a", "a)", "[a", #"a\"#, "(?P<n>a)", #"\1"#])
  func refused(pattern: String) {
    #expect(ModulePattern(pattern) == nil)
  }

  @Test("a search of too many steps is given up")
  func exhausted() throws {
    let pattern = try #require(ModulePattern("(a|a)*(a|a)*(a|a)*b"))
    #expect(pattern.matches(String(repeating: "a", count: 200)) == nil)
  }
}
