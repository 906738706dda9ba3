import ModelIR
import TestSupport
import Testing

@Suite("The order of axes: --reference")
struct AxesReferenceTests {
  private static let layers = ["conv", "norm", "pool", "flat", "drop", "fc", "map"]

  private func verify(
    _ fixture: AxesFixture, _ model: String? = nil, _ options: String...
  ) throws -> NetconvProcess.Result {
    try NetconvProcess.run(
      ["verify", model ?? fixture.path, "--reference", "all.npz"] + options,
      in: fixture.line.folder.path)
  }

  @Test("what Keras gives for every layer, of a source and of what was converted")
  func source() throws {
    let fixture = try AxesFixture("image")
    try fixture.write(["image"] + Self.layers, to: "all.npz")
    for target in ["mps", "torch"] {
      expectSuccess(
        try fixture.line.netconv("convert", fixture.path, target, "--target", target, "--quiet"))
    }
    expectSuccess(try fixture.line.netconv("convert", fixture.path, "m.netpack", "--quiet"))
    for model in [fixture.path, "mps", "torch", "m.netpack"] {
      let result = try verify(fixture, model, "--verbose")
      #expect(result.status == 0, "\(model): \(result.output)\(result.errors)")
      #expect(result.output.contains("layers     all 8 are within their tolerance\n"))
      // The flattened ones have one shape in both orders.
      #expect(
        result.errors
          == """
          netconv: warning: 3 arrays have channels first, as in the source; they were put into the model's order, channels last
            'conv'
            'norm'
            'pool'
          netconv: warning: 2 arrays fit with channels first and with channels last; channels first was assumed, as in the source
            'flat'
            'drop'

          """)
    }
    let report = try jsonObject(try verify(fixture, nil, "--json").output.utf8)
    let rows = try #require((report["comparison"] as? [String: Any])?["layers"] as? [[String: Any]])
    #expect(rows.map { $0["name"] as? String } == ["image"] + Self.layers)
    let first = "channelsFirst"
    #expect(
      rows.map { $0["axes"] as? String } == [first, first, first, first, first, first, nil, first])
  }

  @Test("arrays in the model's order, each for itself")
  func model() throws {
    let fixture = try AxesFixture("image")
    try fixture.write(
      ["image", "conv", "norm", "pool", "fc", "map"], channelsLast: ["image", "conv", "map"],
      to: "all.npz")
    let result = try verify(fixture)
    #expect(result.status == 0)
    #expect(
      result.errors
        == """
        netconv: warning: 2 arrays have channels first, as in the source; they were put into the model's order, channels last (--verbose lists them)
        netconv: warning: 2 arrays have channels last; they were put into the source's order, channels first (--verbose lists them)

        """)
    let report = try jsonObject(try verify(fixture, nil, "--json", "--quiet").output.utf8)
    let rows = try #require((report["comparison"] as? [String: Any])?["layers"] as? [[String: Any]])
    #expect(
      rows.map { $0["axes"] as? String } == [
        "channelsLast", "channelsLast", "channelsFirst", "channelsFirst", nil, "channelsLast",
      ])
  }

  @Test("an array of neither order is refused as of any network")
  func neither() throws {
    let fixture = try AxesFixture("image")
    let conv = try fixture.array("conv")
    try writeArchive(
      [
        ("image", try fixture.array("image")),
        ("conv", NDArray(shape: [2, 8, 6, 10], values: conv.values)),
      ], to: fixture.line.folder.file("all.npz"))
    expectError(
      try verify(fixture), 65,
      "all.npz: layer 'conv': has shape (2, 8, 6, 10), expected (2, 8, 10, 6)")
  }

  @Test(
    "where both orders fit, the source's is taken; in the other one, the layer is beyond its tolerance"
  )
  func both() throws {
    let fixture = try AxesFixture("cube")
    let layers = ["conv", "own", "last", "behind_own", "behind_last", "map"]
    try fixture.write(["image"] + layers, to: "all.npz")
    let result = try verify(fixture)
    #expect(result.status == 0)
    #expect(
      result.errors
        == "netconv: warning: 4 arrays fit with channels first and with channels last; channels first was assumed, "
        + "as in the source (--verbose lists them)\n")
    #expect(result.output.contains("layers     all 7 are within their tolerance\n"))
    for name in ["image", "conv", "map"] {
      try fixture.write(["image"] + layers, channelsLast: [name], to: "all.npz")
      #expect(try verify(fixture).status == 1, "\(name)")
    }
  }

  @Test("sequences have channels and steps in either order")
  func sequences() throws {
    let fixture = try AxesFixture("sequence")
    for last in [[], ["steps"], ["conv"], ["line"], ["steps", "conv", "line"]] {
      try fixture.write(["steps", "conv", "line"], channelsLast: last, to: "all.npz")
      let result = try verify(fixture)
      #expect(result.status == 0, "\(last)")
      #expect(result.output.contains("layers     all 3 are within their tolerance\n"))
    }
  }
}
