import Datasets
import ModelIR
import TestSupport
import Testing

/// Arrays of a network whose source has channels first; `Tests/Fixtures/axes/make_axes.py` stores Keras's output of
/// each layer.
struct AxesFixture {
  let line: CommandLine
  let arrays: [String: NDArray<Float>]
  let path: String

  init(_ name: String) throws {
    line = try CommandLine()
    path = Fixtures.path("axes/\(name).h5")
    arrays = try TestSupport.arrays(Fixtures.path("axes/\(name).npz")).mapValues {
      NDArray(shape: $0.shape, values: $0.values)
    }
  }

  /// Keras's output of a layer, or its input.
  func array(_ name: String, channelsLast: Bool = false) throws -> NDArray<Float> {
    let array = try #require(arrays[name])
    return channelsLast ? withChannelsLast(array) : array
  }

  /// Writes arrays under their names.
  func write(_ names: [String], channelsLast: [String] = [], to file: String) throws {
    try writeArchive(
      names.map { ($0, try array($0, channelsLast: channelsLast.contains($0))) },
      to: line.folder.file(file))
  }

  /// Expects an array of a file to equal Keras's output, in some order of axes.
  func expect(
    _ name: String, in file: String, channelsLast: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try #require(
      try TestSupport.arrays(line.folder.file(file))[name], sourceLocation: sourceLocation)
    let expected = try array(name, channelsLast: channelsLast)
    #expect(found.shape == expected.shape, "\(name)", sourceLocation: sourceLocation)
    // Sums of up to 120 products, of values up to 6, in float32.
    #expect(
      zip(found.values, expected.values).allSatisfy { abs($0 - $1) < 4e-6 }, "\(name)",
      sourceLocation: sourceLocation)
  }
}

/// Samples with the first of their axes as the last.
func withChannelsLast(_ array: NDArray<Float>) -> NDArray<Float> {
  let order = [0] + Array(2..<array.rank) + [1]
  return NDArray(
    shape: order.map { array.shape[$0] },
    values: transposed(array.values, array.shape, order))
}

@Suite("The order of axes: run")
struct AxesTests {
  private static let fed =
    "netconv: warning: the array for the input 'image' has channels last; it was fed with channels first, as in "
    + "the source\n"

  @Test("arrays of both orders give what Keras gives, of sources and of what was converted")
  func inputs() throws {
    let fixture = try AxesFixture("image")
    try fixture.write(["image"], to: "first.npz")
    try fixture.write(["image"], channelsLast: ["image"], to: "last.npz")
    for target in ["mps", "torch"] {
      expectSuccess(
        try fixture.line.netconv("convert", fixture.path, target, "--target", target, "--quiet"))
    }
    expectSuccess(try fixture.line.netconv("convert", fixture.path, "m.netpack", "--quiet"))
    for model in [fixture.path, "mps", "torch", "m.netpack"] {
      expectSuccess(
        try fixture.line.netconv(
          "run", model, "--input", "first.npz", "--output", "a.npz", "--force"))
      let result = try fixture.line.netconv(
        "run", model, "--input", "last.npz", "--output", "b.npz", "--force")
      #expect(result.errors == Self.fed)
      #expect(result.status == 0)
      for file in ["a.npz", "b.npz"] {
        try fixture.expect("fc", in: file)
        try fixture.expect("map", in: file)
      }
    }
  }

  @Test("an array of neither order is refused as of any network")
  func neither() throws {
    let fixture = try AxesFixture("image")
    try fixture.line.writeArray([Float](repeating: 0, count: 324), "(1, 3, 12, 9)", to: "x.npy")
    expectError(
      try fixture.line.netconv("run", fixture.path, "--input", "x.npy"), 64,
      "x.npy: the array for the input 'image' has shape (1, 3, 12, 9), expected (None, 3, 9, 12), where the first "
        + "axis is the batch")
    try fixture.line.writeArray([Float](repeating: 0, count: 324), "(1, 324)", to: "x.npy")
    expectError(
      try fixture.line.netconv("run", fixture.path, "--input", "x.npy"), 64,
      "x.npy: the array for the input 'image' has shape (1, 324), expected (None, 3, 9, 12), where the first axis is "
        + "the batch")
  }

  @Test("where both orders fit, the source's is taken, which is said")
  func both() throws {
    let fixture = try AxesFixture("cube")
    try fixture.write(["image"], to: "x.npz")
    let result = try fixture.line.netconv(
      "run", fixture.path, "--input", "x.npz", "--output", "y.npz", "--layer", "conv", "--layer",
      "own", "--layer", "last")
    #expect(
      result.errors
        == "netconv: warning: the array for the input 'image' fits with channels first and with channels last; "
        + "channels first was assumed, as in the source\n")
    #expect(result.status == 0)
    for name in ["behind_own", "behind_last", "map", "conv", "own", "last"] {
      try fixture.expect(name, in: "y.npz")
    }
  }

  @Test(
    "--axes model writes channels last, of outputs, layers and flattened images; JSON says which")
  func outputs() throws {
    let fixture = try AxesFixture("image")
    try fixture.write(["image"], to: "x.npz")
    let layers = ["--layer", "conv", "--layer", "flat", "--layer", "drop"]
    for (axes, channelsLast) in [(["--axes", "model"], true), (["--axes", "source"], false)] {
      let result = try NetconvProcess.run(
        ["run", fixture.path, "--input", "x.npz", "--output", "y.npz", "--force", "--json"]
          + layers + axes, in: fixture.line.folder.path)
      expectSuccess(result)
      for name in ["map", "conv"] {
        try fixture.expect(name, in: "y.npz", channelsLast: channelsLast)
      }
      try fixture.expect("fc", in: "y.npz")
      let found = try arrays(fixture.line.folder.file("y.npz"))
      let pooled = try fixture.array("pool", channelsLast: channelsLast)
      for name in ["flat", "drop"] {
        let values = try #require(found[name]).values
        #expect(zip(values, pooled.values).allSatisfy { abs($0 - $1) < 4e-6 })
      }
      let report = try jsonObject(result.output.utf8)
      let rows = try #require(report["outputs"] as? [[String: Any]])
      let order = channelsLast ? "channelsLast" : "channelsFirst"
      #expect(rows.map { $0["name"] as? String } == ["fc", "map", "conv", "flat", "drop"])
      #expect(rows.map { $0["axes"] as? String } == [nil, order, order, order, order])
      let inputs = try #require(report["inputs"] as? [[String: Any]])
      #expect(inputs.map { $0["axes"] as? String } == ["channelsFirst"])
    }
  }

  @Test("the table says at which end the channels are")
  func table() throws {
    let fixture = try AxesFixture("image")
    try fixture.write(["image"], channelsLast: ["image"], to: "x.npz")
    let result = try fixture.line.netconv(
      "run", fixture.path, "--input", "x.npz", "--axes", "model", "--layer", "pool")
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines[1].prefix(3) == ["output", "shape", "channels"])
    #expect(lines[3].prefix(3) == ["fc", "(2,", "5)"] && !lines[3].contains("last"))
    #expect(lines[4].prefix(6) == ["map", "(2,", "3,", "5,", "2)", "last"])
    #expect(lines[5].prefix(6) == ["pool", "(2,", "4,", "5,", "6)", "last"])
  }

  @Test(
    "what a run writes, --reference takes, with every axis of one size too",
    arguments: ["image", "cube"])
  func roundTrip(name: String) throws {
    let fixture = try AxesFixture(name)
    try fixture.write(["image"], to: "x.npz")
    let layers = name == "image" ? ["conv", "flat", "pool"] : ["conv", "own", "last"]
    #expect(
      try NetconvProcess.run(
        ["run", fixture.path, "--input", "x.npz", "--output", "y.npz"]
          + layers.flatMap { ["--layer", $0] }, in: fixture.line.folder.path
      ).status == 0)
    let written = try arrays(fixture.line.folder.file("y.npz")).map { name, array in
      (name, NDArray(shape: array.shape, values: array.values))
    }
    try writeArchive(
      [("image", try fixture.array("image"))] + written, to: fixture.line.folder.file("all.npz"))
    #expect(try fixture.line.netconv("verify", fixture.path, "--reference", "all.npz").status == 0)
  }

  @Test("--axes of a network without channels first, or with another word")
  func nothing() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try line.writeArray([Float](repeating: 1, count: 60), "(1, 6, 5, 2)", to: "in.npy")
    let result = try line.netconv("run", "blobs", "--input", "in.npy", "--axes", "model")
    #expect(
      result.errors
        == "netconv: warning: no output has channels first in the source, so its order of axes is the model's\n"
    )
    #expect(result.status == 0)
    expectSuccess(try line.netconv("run", "blobs", "--input", "in.npy", "--axes", "source"))
    expectError(
      try line.netconv("run", "blobs", "--input", "in.npy", "--axes", "last"), 64,
      "The value 'last' is invalid for '--axes <order>'. Please provide one of 'source' and 'model'.\n"
        + "Usage: netconv run [<options>] <path> [<pictures> ...]\n"
        + "  See 'netconv run --help' for more information.")
  }

  @Test("sequences have channels and steps in either order")
  func sequences() throws {
    let fixture = try AxesFixture("sequence")
    try fixture.write(["steps"], to: "first.npz")
    try fixture.write(["steps"], channelsLast: ["steps"], to: "last.npz")
    expectSuccess(
      try fixture.line.netconv(
        "run", fixture.path, "--input", "first.npz", "--output", "a.npz", "--layer", "conv"))
    let result = try fixture.line.netconv(
      "run", fixture.path, "--input", "last.npz", "--output", "b.npz", "--layer", "conv", "--axes",
      "model")
    #expect(
      result.errors
        == "netconv: warning: the array for the input 'steps' has channels last; it was fed with channels first, as "
        + "in the source\n")
    for name in ["line", "conv"] {
      try fixture.expect(name, in: "a.npz")
      try fixture.expect(name, in: "b.npz", channelsLast: true)
    }
  }

  @Test("TensorFlow's graphs in NCHW")
  func graph() throws {
    let line = try CommandLine()
    let path = Fixtures.path("tensorflow/graph-conv-nchw.pb")
    let stored = try arrays(Fixtures.path("tensorflow/graph-conv-nchw.npz")).mapValues {
      NDArray(shape: $0.shape, values: $0.values)
    }
    let (input, output) = (try #require(stored["in0"]), try #require(stored["out0"]))
    try writeArchive(
      [("Placeholder", withChannelsLast(input))], to: line.folder.file("last.npz"))
    for (axes, expected) in [("source", output), ("model", withChannelsLast(output))] {
      let result = try line.netconv(
        "run", path, "--input", "last.npz", "--output", "y.npz", "--axes", axes, "--force")
      #expect(result.status == 0)
      #expect(result.errors.contains("'Placeholder' has channels last"))
      let found = try #require(try arrays(line.folder.file("y.npz"))["Conv2D"])
      #expect(found.shape == expected.shape)
      #expect(relativeDifference(found.values, expected.values) < 1e-6)
    }
  }

  @Test("a flatten of a graph in NCHW is written in the graph's order")
  func flattened() throws {
    let line = try CommandLine()
    let path = Fixtures.path("tensorflow/graph-network-nchw.pb")
    let stored = try #require(try arrays(Fixtures.path("tensorflow/graph-network-nchw.npz"))["in0"])
    try writeArchive(
      [("image", NDArray(shape: stored.shape, values: stored.values))],
      to: line.folder.file("x.npz"))
    for axes in ["source", "model"] {
      expectSuccess(
        try line.netconv(
          "run", path, "--input", "x.npz", "--output", "y.npz", "--layer", "MaxPool2d", "--layer",
          "Reshape", "--axes", axes, "--force"))
      let found = try arrays(line.folder.file("y.npz"))
      #expect(found["MaxPool2d"]?.shape == (axes == "source" ? [2, 4, 4, 5] : [2, 4, 5, 4]))
      #expect(found["Reshape"]?.shape == [2, 80])
      #expect(found["Reshape"]?.values == found["MaxPool2d"]?.values)
    }
  }
}
