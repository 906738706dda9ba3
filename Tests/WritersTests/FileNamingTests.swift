import ModelIR
import TestSupport
import Testing
import Writers

@Suite struct FileNamingTests {
  /// The names of tensors of some layers.
  private func names(
    _ layers: [String], _ role: ParameterRole = .kernel, naming: FileNaming = .standard
  ) throws -> [String] {
    try naming.names(
      for: layers.map { layer in
        try Tensor(
          layer: layer, spec: ParameterSpec(role, .vector, .c, [.channels: 1]),
          stored: StoredTensor(source: ArraySource([0]), layout: nil, shape: nil, path: ""))
      }
    ).map(\.tensor)
  }

  @Test func `kernels are W, biases b, other roles themselves`() throws {
    #expect(try names(["conv1"]) == ["conv1_W"])
    #expect(try names(["conv1"], .bias) == ["conv1_b"])
    #expect(try names(["bn"], .gamma) == ["bn_gamma"])
    #expect(try names(["bn"], ParameterRole(rawValue: "a/b")) == ["bn_a_b"])
  }

  @Test(arguments: [
    ("block1/conv:0", "block1_conv_0"), ("größe ×", "gr__e__"),
    ("../../etc/passwd", ".._.._etc_passwd"),
    ("/root", "_root"), ("a\0b\nc", "a_b_c"), ("A-Z.a_z-09", "A-Z.a_z-09"), ("", ""), ("..", ".."),
    ("o\u{308}", "o_"), ("C:\\x", "C__x"), ("😀", "_"), ("a'b\"c", "a_b_c"),
  ])
  func `other characters become an underscore, one each`(layer: String, name: String) throws {
    #expect(try names([layer]) == [name + "_W"])
  }

  @Test func `no two names are equal, whatever the case`() throws {
    #expect(try names(["Conv", "conv", "CONV"]) == ["Conv_W", "conv_W-2", "CONV_W-3"])
    #expect(try names(["a/b", "a:b", "a_b"]) == ["a_b_W", "a_b_W-2", "a_b_W-3"])
    let layer = try FileNaming(template: "{layer}")
    #expect(
      try names(["a", "A-2", "a", "a-2"], naming: layer) == ["a", "A-2", "a-3", "a-2-2"])
  }

  /// Takes minutes if each name is tested with all suffixes from the first on.
  @Test func `many equal names are told apart`() throws {
    let layers = (0..<20_000).map { String(repeating: $0 % 2 == 0 ? "é" : "ü", count: 2) }
    let names = try names(layers)
    #expect(names.prefix(3) == ["___W", "___W-2", "___W-3"])
    #expect(names.last == "___W-20000")
  }

  @Test func `a name over 200 bytes is cut and told apart by its digest`() throws {
    let x = String(repeating: "x", count: 198)
    #expect(try names([x]) == [x + "_W"])
    // The first 8 digits of the SHA-256 of 250 times x and _W.
    let long = String(repeating: "x", count: 250)
    #expect(try names([long]) == [x + "xx-1311906f"])
    let accents = String(repeating: "größe/", count: 50)
    let cut = String(repeating: "gr__e_", count: 34).prefix(200)
    #expect(try names([accents]) == ["\(cut)-070a8174"])
    #expect(try names([long, long]) == [x + "xx-1311906f", x + "xx-1311906f-2"])
    #expect(try Set(names([long + "a", long + "b"]).map { $0.prefix(200) }).count == 1)
    #expect(try Set(names([long + "a", long + "b"])).count == 2)
  }

  @Test(arguments: [
    ("{layer}_{role}", "fc1_W"), ("{role}", "W"), ("{layer}", "fc1"),
    ("net-{role}.{layer}", "net-W.fc1"),
    ("{layer}{layer}", "fc1fc1"), ("w/{layer}", "w/fc1"),
  ])
  func `a template gives the name`(template: String, name: String) throws {
    #expect(try names(["fc1"], naming: FileNaming(template: template)) == [name])
  }

  @Test func `a slash is one in a name, and none in the name of a file`() throws {
    let naming = try FileNaming(template: "{layer}/{role}", roles: [.kernel: "kernel"])
    #expect(try names(["a", "a/b"], naming: naming) == ["a/kernel", "a_b/kernel"])
    let plain = try FileNaming(template: "{layer}/{role}", roles: [.kernel: "b/c"])
    // As files, both would be a_b_c.
    #expect(try names(["a", "a/b"], naming: plain) == ["a/b/c", "a_b/b/c"])
    let other = try FileNaming(template: "{layer}/c")
    #expect(try names(["a_b", "a/b"], naming: other) == ["a_b/c", "a_b/c-2"])
  }

  private func tensor(_ layer: String, _ role: ParameterRole) throws -> Tensor {
    try Tensor(
      layer: layer, spec: ParameterSpec(role, .vector, .c, [.channels: 1]),
      stored: StoredTensor(source: ArraySource([0]), layout: nil, shape: nil, path: ""))
  }

  @Test
  func `the bias of a separable convolution is that of its second half where that has a name`()
    throws
  {
    let tensors = [
      try tensor("s", .depthwise), try tensor("s", .pointwise), try tensor("s", .bias),
      try tensor("c", .bias),
    ]
    let naming = try FileNaming(
      template: "{layer}.{role}",
      roles: [.bias: "bias", .pointwiseBias: "pointwise.bias", .pointwise: "pointwise.weight"])
    #expect(
      naming.names(for: tensors).map(\.tensor)
        == ["s.depthwise", "s.pointwise.weight", "s.pointwise.bias", "c.bias"])
    #expect(
      FileNaming.standard.names(for: tensors).map(\.tensor) == [
        "s_depthwise", "s_pointwise", "s_b", "c_b",
      ])
  }

  @Test func `scales are called after what they scale`() throws {
    let tensors = [try tensor("c", .kernel.scale), try tensor("s", .depthwise.scale)]
    let naming = try FileNaming(template: "{layer}/{role}", roles: [.kernel: "weight"])
    #expect(naming.names(for: tensors).map(\.tensor) == ["c/weight_scale", "s/depthwise_scale"])
    #expect(
      FileNaming.standard.names(for: tensors).map(\.tensor) == ["c_W_scale", "s_depthwise_scale"])
  }

  @Test func `a layer cannot smuggle fields into a template`() throws {
    #expect(try names(["{role}"], naming: FileNaming(template: "{layer}_{role}")) == ["_role__W"])
  }

  @Test(arguments: [
    "", "weights", "{layer", "layer}", "{layer}}", "}{layer}", "a}{layer}", "{{layer}}", "{name}",
    "{Layer}", "{}", "{layer}_{role", "{layer }",
  ])
  func `a template that is none is an error`(template: String) {
    let error = thrown { try FileNaming(template: template) }
    #expect(error?.kind == .usage)
    #expect(
      error?.description
        == "naming '\(template)' cannot be used; write a template with {layer} and {role}, for "
        + "example '{layer}_{role}'")
  }
}
