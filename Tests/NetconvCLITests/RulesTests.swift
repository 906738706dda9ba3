import Datasets
import Foundation
import TestSupport
import Testing

/// Rules that make tensors from those of a source.
///
/// `make_rules.py` wrote the fixtures; numpy and einops computed the expected arrays.
@Suite("rules for weights without a graph")
struct RulesTests {
  private static let source = Fixtures.path("rules/source.safetensors")

  /// Converts `source`, and returns the written arrays.
  private func made(
    _ line: CommandLine, _ options: String..., from source: String = Self.source
  ) throws -> [String: NumpyArray] {
    expectSuccess(
      try line.netconv(["convert", source, "o.npz", "--weights-only", "-q", "--force"] + options))
    return try arrays(line.folder.file("o.npz"))
  }

  /// Returns the arrays of a fixture, as netconv writes them without rules.
  private func expected(_ name: String) throws -> [String: NumpyArray] {
    let line = try CommandLine()
    return try made(line, from: Fixtures.path("rules/\(name).safetensors"))
  }

  private func expectEqual(_ found: [String: NumpyArray], _ expected: [String: NumpyArray]) {
    #expect(Set(found.keys) == Set(expected.keys))
    for (name, array) in expected {
      #expect(found[name]?.shape == array.shape, "\(name)")
      #expect(found[name]?.values == array.values, "\(name)")
    }
  }

  /// Writes a rules file, and returns the result of a conversion with it.
  private func convert(
    _ line: CommandLine, _ rules: String, _ options: String..., from source: String = Self.source
  ) throws -> NetconvProcess.Result {
    try line.folder.write(
      #"{"format": "netconv-rules", "version": 1, "rules": [\#(rules)]}"#, to: "r.json")
    try line.folder.write(#"{"num_attention_heads": 4}"#, to: "config.json")
    return try line.netconv(
      ["convert", source, "made.npz", "--weights-only", "--rules", "r.json", "--force"] + options)
  }

  private func expectFailure(
    _ result: NetconvProcess.Result, _ status: Int32, _ messages: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(result.status == ExitCode(status), sourceLocation: sourceLocation)
    for message in messages {
      #expect(result.errors.contains(message), sourceLocation: sourceLocation)
    }
  }

  // MARK: - Values

  @Test("each kind of rule makes the arrays that numpy and einops make")
  func forward() throws {
    let line = try CommandLine()
    let found = try made(line, "--rules", Fixtures.path("rules/rules.json"))
    expectEqual(found, try expected("made"))
  }

  @Test("rules undone give the source's arrays, up to the bits that an addition has lost")
  func backward() throws {
    let line = try CommandLine()
    let found = try made(
      line, "--rules", Fixtures.path("rules/reversible.json"), "--reverse",
      from: Fixtures.path("rules/made.safetensors"))
    expectEqual(found, try expected("back"))
  }

  @Test("rules apply to a file that rules made, and back")
  func again() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Self.source, "port.safetensors", "--weights-only", "--rules",
        Fixtures.path("rules/rules.json"), "-q"))
    let found = try made(
      line, "--rules", Fixtures.path("rules/reversible.json"), "--reverse", "--config",
      Fixtures.path("rules/config.json"), from: "port.safetensors")
    expectEqual(found, try expected("back"))
  }

  @Test("a first axis is taken apart, and stacked again")
  func unstacked() throws {
    let line = try CommandLine()
    let apart =
      #"{"from": "layers.{n}.feed_forward.experts.w2", "to": "e.{e}.of.{n}", "unstack": "e"}"#
    let made = Fixtures.path("rules/made.safetensors")
    #expect(try convert(line, apart, from: made).status == 0)
    let single = try arrays(line.folder.file("made.npz"))
    let whole = try expected("made")["layers.1.feed_forward.experts.w2"]
    #expect(whole?.shape == [3, 20, 12])
    #expect(single["e.2.of.1"]?.shape == [20, 12])
    #expect(single["e.2.of.1"]?.values == whole.map { Array($0.values[480...]) })
    expectSuccess(
      try line.netconv(
        "convert", "made.npz", "again.npz", "--weights-only", "--rules", "r.json", "--reverse", "-q"
      ))
    expectEqual(try arrays(line.folder.file("again.npz")), try expected("made"))
  }

  @Test("values are rounded to the type that is written, once")
  func halves() throws {
    let line = try CommandLine()
    let exact = try expected("made")["layers.0.attention.wqkv.weight"]
    let found = try made(
      line, "--rules", Fixtures.path("rules/rules.json"), "--dtype", "float16")[
        "layers.0.attention.wqkv.weight"]
    #expect(found?.values == exact?.values.map { Float(Float16($0)) })
  }

  // MARK: - Names

  @Test("substitutions rename tensors, in order, and files without a target keep the names")
  func substitutions() throws {
    let line = try CommandLine()
    let found = try made(
      line, "--rename", #"s/^model\.(layers\.(\d+)\.)?/\2|/"#, "--rename", "s,WEIGHT,w&,i")
    let names = Set(found.keys)
    #expect(names.contains("|embed_tokens.wweight"))
    #expect(names.contains("1|mlp.experts.2.down_proj.wweight"))
    #expect(names.count == 22)
    #expect(
      found["0|self_attn.q_proj.wweight"]?.values
        == (try expected("source"))["model.layers.0.self_attn.q_proj.weight"]?.values)
  }

  @Test("a substitution renames layers of a graph, and what they read")
  func layers() throws {
    let line = try CommandLine()
    let path = Fixtures.sample("deep-mnist/deep-mnist.h5")
    expectSuccess(try line.netconv("convert", path, "out", "--rename", "s/^fc/dense/", "-q"))
    let inspected = try line.netconv("inspect", "out")
    #expect(inspected.output.contains("dense2") && !inspected.output.contains("fc1"))
    expectSuccess(
      try line.netconv("verify", "out", "--against", path, "--limit", "20", "-q"))
  }

  @Test(
    "a substitution that cannot be meant is refused",
    arguments: [
      ("s/nothing/x/", "matches no name"), ("s/.*/x/", "the same name, 'x'"),
      ("s/.*//", "leaves nothing of the name"), ("s/(/x/", "is not a regular expression"),
      (#"s/a/\1/"#, "refers to group 1"),
    ])
  func badSubstitution(text: String, message: String) throws {
    let line = try CommandLine()
    expectFailure(
      try line.netconv(
        "convert", Self.source, "o.npz", "--weights-only", "--rename", text), 64, message)
    #expect(try !line.names().contains("o.npz"))
  }

  @Test("one of two sources has to have the names that a substitution changes")
  func ofTwo() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Self.source, "o.npz", "--weights-only", "--rename", "s/^model/net/", "-q"))
    #expect(try line.netconv("diff", Self.source, "o.npz").output.contains("is named net."))
    let renamed = try line.netconv("diff", Self.source, "o.npz", "--rename", "s/^model/net/")
    #expect(renamed.status == 0 && !renamed.output.contains("is named"))
    expectFailure(
      try line.netconv("diff", Self.source, "o.npz", "--rename", "s/^other/net/"), 64,
      "matches no name of either")
  }

  // MARK: - What a rule did

  @Test("a dry run lists what each rule makes, and what none changes, and writes nothing")
  func dryRun() throws {
    let line = try CommandLine()
    let drop =
      #"{"drop": ["*.inv_freq", "*experts*"]}, {"from": "*o_proj.weight", "to": "*o.weight"}"#
    let result = try convert(line, drop, "--dry-run")
    expectSuccess(result)
    #expect(result.output.contains("1  model.layers.1.self_attn.rotary_emb.inv_freq is left out"))
    #expect(
      result.output.contains(
        "2  model.layers.0.self_attn.o_proj.weight -> model.layers.0.self_attn.o.weight"))
    #expect(result.output.contains("12 tensors that no rule changes: model.embed_tokens.weight"))
    #expect(try !line.names().contains("made.npz"))
    let json = try jsonObject(try convert(line, drop, "--json").output.utf8)
    let conversions = try #require(json["conversions"] as? [[String: Any]])
    let rules = try #require(conversions[0]["rules"] as? [String: Any])
    #expect((rules["untouched"] as? [String])?.count == 12)
    #expect((rules["rules"] as? [[String: Any]])?.count == 2)
  }

  @Test(
    "a rule that cannot be meant is refused, by its number, and nothing is written",
    arguments: [
      (
        #"{"drop": "*inv_freq"}, {"from": "*.q.weight", "to": "*.r.weight"}"#,
        "rule 2: '*.q.weight'"
      ),
      (#"{"from": "*q_proj.weight", "to": "same"}"#, "'same' is made twice"),
      (#"{"from": "*q_proj.weight", "to": "*k_proj.weight"}"#, "is made twice"),
      (
        #"{"from": ["*q_proj.weight", "*x_proj.weight"], "to": "*qx", "join": 0}"#,
        "needs 'model.layers.0.self_attn.x_proj.weight' beside it"
      ),
      (
        #"{"from": ["*layers.0.*q_proj.weight", "*layers.0.*o_proj.weight"], "to": "*layers.0.*qo", "join": 0}"#,
        "the shapes do not fit together: (24, 12), (12, 24)"
      ),
      (
        #"{"from": "*gate_up_proj.weight", "to": ["*a", "*b"], "split": 0, "parts": [20, 21]}"#,
        "'parts' add up to 41, and the axis has length 40"
      ),
      (
        #"{"drop": "*layers.1.*experts.1.*"}, {"from": "*experts.{e}.down_proj.weight", "to": "*w", "stack": "e"}"#,
        "lack number 1"
      ),
      (#"{"from": "*q_proj.weight", "pattern": "(h d) i -> (d h) i", "sizes": {"h": 5}}"#, "shape"),
      (
        #"{"from": "*q_proj.weight", "pattern": "(h d) i -> (d h) i", "sizes": {"h": "heads"}}"#,
        "no positive integer called 'heads'"
      ),
      (#"{"from": "*norm.weight", "scale": 0}"#, "'scale' is 0"),
      (#"{"from": "*norm.weight", "to": "{n}"}"#, "a word in braces, or a star"),
      (#"{"from": "*norm.weight", "rename": "s/a/b/"}"#, "exactly one of"),
      (#"{"from": "*norm.weight", "added": 1}"#, "added"),
      (#"{"from": "*gate_up_proj.weight", "to": ["*a", "*b"], "split": 0}"#, "needs 'parts'"),
    ])
  func refused(rules: String, message: String) throws {
    let line = try CommandLine()
    let result = try convert(line, rules)
    #expect(result.errors.contains(message))
    #expect(result.status == 64 || result.status == 65)
    #expect(try !line.names().contains("made.npz"))
  }

  @Test(
    "what a rule does not determine is not undone",
    arguments: [
      (#"{"rename": "s/a/b/"}"#, "a substitution of names"),
      (#"{"from": ["a.{n}", "b.{n}"], "to": "c.{n}", "join": 0}"#, "a join without 'parts'"),
      (#"{"from": "{a}.{b}", "to": "{b}"}"#, "different words in braces"),
    ])
  func notReversed(rules: String, message: String) throws {
    let line = try CommandLine()
    expectFailure(try convert(line, rules, "--reverse"), 64, "rule 1: cannot be reversed", message)
  }

  @Test("rules need weights alone, and names of their own")
  func needs() throws {
    let line = try CommandLine()
    for option in ["--rules", "--drop", "--keep", "--layout"] {
      expectFailure(
        try line.netconv("convert", Self.source, "o", option, "x=OI"), 64,
        "\(option) needs --weights-only")
    }
    expectFailure(
      try line.netconv(
        "convert", Fixtures.sample("deep-mnist/deep-mnist.h5"), "o", "--weights-only", "--drop", "*"
      ), 64, "names of their own")
  }

  // MARK: - Layouts

  @Test("stated layouts and kept tensors settle what names do not decide")
  func layouts() throws {
    let line = try CommandLine()
    let lenet = Fixtures.sample("pytorch-lenet/lenet.pt")
    let rename = ["--rename", "s/features\\./block/", "--weights-only", "--target", "mlx", "-q"]
    let convert = { (options: String...) in
      try line.netconv(["convert", lenet, "o.npz", "--force"] + rename + options)
    }
    expectFailure(try convert(), 65, "no known layout for 2 tensors", "--layout", "--keep")
    expectSuccess(try convert("--layout", "block*.weight=OIHW"))
    let stated = try arrays(line.folder.file("o.npz"))
    expectSuccess(
      try line.netconv(
        "convert", lenet, "p.npz", "--weights-only", "--target", "mlx", "--convention", "torch",
        "-q"
      ))
    let moved = try arrays(line.folder.file("p.npz"))
    #expect(stated["block0.weight"]?.shape == [8, 5, 5, 1])
    #expect(stated["block3.weight"]?.values == moved["features.3.weight"]?.values)
    expectSuccess(try convert("--keep", "block*"))
    #expect(try arrays(line.folder.file("o.npz"))["block0.weight"]?.shape == [8, 1, 5, 5])
    expectFailure(try convert("--keep", "blok*"), 64, "matches no tensor")
    expectFailure(try convert("--layout", "block*=OXYZ"), 64, "is not a layout")
    expectFailure(try convert("--layout", "block*.bias=OIHW"), 64, "has shape")
  }

  @Test("a target leaves a tensor as a rule has moved it")
  func movedByRule() throws {
    let line = try CommandLine()
    let lenet = Fixtures.sample("pytorch-lenet/lenet.pt")
    let rule =
      #"{"from": "features.{n}.weight", "pattern": "o i h w -> o h w i"}, {"rename": "s/ures//"}"#
    expectSuccess(try convert(line, rule, "--target", "mlx", "-q", from: lenet))
    expectSuccess(
      try line.netconv(
        "convert", lenet, "p.npz", "--weights-only", "--target", "mlx", "--convention", "torch",
        "-q"
      ))
    let (own, moved) = (
      try arrays(line.folder.file("made.npz")), try arrays(line.folder.file("p.npz"))
    )
    #expect(own["feat.3.weight"]?.shape == [16, 5, 5, 8])
    #expect(own["feat.3.weight"]?.values == moved["features.3.weight"]?.values)
  }

  @Test("rules and a convention give what the graph gives, flatten and all, without a warning")
  func asWithGraph() throws {
    let line = try CommandLine()
    let lenet = Fixtures.sample("pytorch-lenet/lenet.pt")
    expectSuccess(
      try line.netconv(
        "convert", lenet, "own.npz", "--weights-only", "--target", "mlx", "--convention", "torch",
        "--rules", Fixtures.path("rules/lenet-mlx.json"), "-q"))
    expectSuccess(
      try line.netconv(
        "convert", lenet, "graph.npz", "--model", Fixtures.sample("pytorch-lenet/model.json"),
        "--target", "mlx", "-q"))
    let (own, graph) = (
      try arrays(line.folder.file("own.npz")), try arrays(line.folder.file("graph.npz"))
    )
    for (name, other) in [
      ("conv1", "features.0"), ("conv2", "features.3"), ("fc0", "classifier.0"),
      ("fc2", "classifier.2"),
    ] {
      for role in ["weight", "bias"] {
        let (made, wanted) = (own["\(name).\(role)"], graph["\(other).\(role)"])
        #expect(wanted != nil && made?.shape == wanted?.shape && made?.values == wanted?.values)
      }
    }
  }
}
