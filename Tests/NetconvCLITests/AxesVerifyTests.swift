import Foundation
import ModelIR
import TestSupport
import Testing

@Suite("The order of axes: verify")
struct AxesVerifyTests {
  // MARK: - Images

  /// Colour images, as bytes in some order of axes, with Keras's predictions as classes.
  private func classes(_ order: [Int]) throws -> AxesFixture {
    let fixture = try AxesFixture("classes")
    let images = try fixture.array("image")
    let fc = try fixture.array("fc")
    let labels = (0..<16).map { sample -> UInt8 in
      let row = fc.values[sample * 5..<sample * 5 + 5]
      return UInt8((row.indices.max { row[$0] < row[$1] } ?? 0) - row.startIndex)
    }
    let shape = order.map { "\(images.shape[$0])" }.joined(separator: ", ")
    try fixture.line.folder.write(
      npy("|u1", "(\(shape))", transposed(images.values, images.shape, order).map(UInt8.init)),
      to: "images.npy")
    try fixture.line.folder.write(npy("|u1", "(16,)", labels), to: "labels.npy")
    return fixture
  }

  private func verify(_ fixture: AxesFixture, _ options: String...) throws -> NetconvProcess.Result
  {
    try NetconvProcess.run(
      ["verify", fixture.path, "--images", "images.npy", "--labels", "labels.npy"] + options,
      in: fixture.line.folder.path)
  }

  @Test(
    "colour images in either order get Keras's classes, and the report says the order",
    arguments: [
      ([0, 1, 2, 3], "channelsFirst", "with channels first, as in the source"),
      ([0, 2, 3, 1], "channelsLast", "with channels last, fed with channels first"),
    ])
  func images(_ order: [Int], _ name: String, _ words: String) throws {
    let fixture = try classes(order)
    let result = try verify(fixture, "--min-accuracy", "1")
    expectSuccess(result)
    #expect(result.output.hasPrefix("data       images.npy, 16 images, \(words)\n"))
    #expect(result.output.contains("\naccuracy   1.0000 (16 right, "))
    let report = try jsonObject(try verify(fixture, "--json").output.utf8)
    #expect(report["axes"] as? String == name)
    // The search for a preparation sees colours in both.
    let search = try jsonObject(try verify(fixture, "--find-preparation", "--json").output.utf8)
    let tried = try #require((search["preparation"] as? [String: Any])?["tried"] as? [Any])
    #expect(tried.count == 13)
  }

  @Test("images of neither order are refused")
  func neither() throws {
    expectError(
      try verify(try classes([0, 1, 3, 2])), 64,
      "images.npy: images of shape (3, 10, 8) do not fit the model's input (3, 8, 10); pass samples of that shape"
    )
    let result = try verify(try classes([0, 2, 1, 3]))
    #expect(result.status == 64)
  }

  /// A network that returns the mean of each channel of images with channels first.
  private func means(_ shape: String, preprocessing: String = "") throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": \(shape)\(preprocessing)}], "outputs": ["y"],
       "layers": [
        {"name": "last", "operator": "Permute", "inputs": ["x"], "attributes": {"order": [1, 2, 0]}},
        {"name": "y", "operator": "GlobalAveragePooling2D", "inputs": ["last"]}]}
      """, to: "m/model.json")
    return line
  }

  @Test("where both orders fit, the source's is taken, of images and of targets")
  func both() throws {
    let line = try means("[2, 2, 2]")
    let pixels: [Float] = [1, 2, 3, 6, 10, 20, 30, 60]
    try line.writeArray(pixels, "(1, 2, 2, 2)", to: "x.npy")
    try line.writeArray([3, 30], "(1, 2)", to: "y.npy")
    let result = try line.netconv(
      "verify", "m", "--images", "x.npy", "--labels", "y.npy", "--metric", "mae", "--max-error",
      "0",
      "--scale", "1")
    #expect(
      result.errors
        == "netconv: warning: the images fit with channels first and with channels last; channels first was assumed, "
        + "as in the source\n")
    #expect(result.status == 0)
    #expect(result.output.contains(", with channels first, as in the source\n"))
  }

  @Test("what a model records for each channel is done to the channels, in either order")
  func recorded() throws {
    let record = #", "preprocessing": [{"step": "mean", "value": [1, 2, 3]}]"#
    let line = try means("[3, 1, 2]", preprocessing: record)
    // Red 5 and 7, green 10 and 20, blue 50 and 70.
    for (pixels, shape) in [
      ([5, 7, 10, 20, 50, 70], "(1, 3, 1, 2)"), ([5, 10, 50, 7, 20, 70], "(1, 1, 2, 3)"),
    ] as [([UInt8], String)] {
      try line.folder.write(npy("|u1", shape, pixels), to: "x.npy")
      let result = try line.netconv(
        "run", "m", "--input", "x.npy", "--output", "y.npz", "--force", "--json")
      #expect(result.status == 0)
      #expect(try arrays(line.folder.file("y.npz"))["y"]?.values == [5, 13, 57])
      try line.writeArray([5, 13, 57], "(1, 3)", to: "t.npy")
      #expect(
        try line.netconv(
          "verify", "m", "--images", "x.npy", "--labels", "t.npy", "--metric", "mae", "--max-error",
          "0"
        ).status == 0)
    }
  }

  @Test("where the record moves the channels, it says the order")
  func recordedAxes() throws {
    let step = #", "preprocessing": [{"step": "axes", "order": "channelsFirst"}]"#
    let line = try means("[3, 1, 2]", preprocessing: step)
    try line.folder.write(npy("|u1", "(1, 1, 2, 3)", [5, 10, 50, 7, 20, 70]), to: "x.npy")
    expectSuccess(try line.netconv("run", "m", "--input", "x.npy", "--output", "y.npz"))
    #expect(try arrays(line.folder.file("y.npz"))["y"]?.values == [6, 15, 60])
    try line.folder.write(npy("|u1", "(1, 3, 1, 2)", [5, 7, 10, 20, 50, 70]), to: "x.npy")
    expectError(
      try line.netconv("run", "m", "--input", "x.npy"), 64,
      "x.npy: the array for the input 'x' has shape (1, 2, 3, 1), expected (None, 3, 1, 2), where the first axis is "
        + "the batch; the channels are first: move them last with numpy.moveaxis(x, 1, -1)")
  }

  // MARK: - Targets

  private static let graph = Fixtures.path("tensorflow/graph-conv-nchw.pb")

  @Test(
    "targets that are images have either order, which is said", arguments: [false, true],
    [false, true])
  func targets(inputsLast: Bool, targetsLast: Bool) throws {
    let line = try CommandLine()
    let stored = try arrays(Fixtures.path("tensorflow/graph-conv-nchw.npz")).mapValues {
      NDArray(shape: $0.shape, values: $0.values)
    }
    let (input, output) = (try #require(stored["in0"]), try #require(stored["out0"]))
    try writeArchive(
      [
        ("x_test", inputsLast ? withChannelsLast(input) : input),
        ("y_test", targetsLast ? withChannelsLast(output) : output),
      ], to: line.folder.file("data.npz"))
    let result = try line.netconv(
      "verify", Self.graph, "--images", "data.npz", "--metric", "mae", "--max-error", "1e-6",
      "--scale", "1", "--json")
    #expect(result.status == 0)
    #expect(
      result.errors
        == (targetsLast
          ? "netconv: warning: the targets have channels last; they were compared with the outputs in that order\n"
          : ""))
    let report = try jsonObject(result.output.utf8)
    #expect(report["axes"] as? String == (inputsLast ? "channelsLast" : "channelsFirst"))
    let regression = try #require(report["regression"] as? [String: Any])
    let shape = targetsLast ? [3, 7, 4] : [4, 3, 7]
    #expect(regression["targetShape"] as? [Int] == shape)
    #expect(regression["outputShape"] as? [Int] == shape)
  }

  @Test("targets of neither order are refused")
  func wrongTargets() throws {
    let line = try CommandLine()
    try line.writeArray([Float](repeating: 0, count: 126), "(1, 3, 6, 7)", to: "x.npy")
    try line.writeArray([Float](repeating: 0, count: 84), "(1, 7, 3, 4)", to: "y.npy")
    expectError(
      try line.netconv(
        "verify", Self.graph, "--images", "x.npy", "--labels", "y.npy", "--metric", "mae"), 64,
      "y.npy: the targets have shape (1, 7, 3, 4), expected (1, 4, 3, 7), one for each value of the output; "
        + "targets are not broadcast, except that a last axis of size 1 may be missing or added")
  }

  @Test("targets that fit in both orders are taken in the source's, which is said")
  func cubeOfTargets() throws {
    let line = try CommandLine()
    // Gives what it is fed, by way of channels last.
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": [2, 2, 2]}], "outputs": ["y"],
       "layers": [
        {"name": "last", "operator": "Permute", "inputs": ["x"], "attributes": {"order": [1, 2, 0]}},
        {"name": "y", "operator": "Permute", "inputs": ["last"], "attributes": {"order": [2, 0, 1]}}]}
      """, to: "m/model.json")
    try line.writeArray([1, 2, 3, 4, 5, 6, 7, 8], "(1, 2, 2, 2)", to: "x.npy")
    let result = try line.netconv(
      "verify", "m", "--images", "x.npy", "--labels", "x.npy", "--metric", "mae", "--max-error",
      "0",
      "--scale", "1")
    #expect(
      result.errors
        == "netconv: warning: the targets fit with channels first and with channels last; channels first was assumed, "
        + "as in the source\n"
        + "netconv: warning: the images fit with channels first and with channels last; channels first was assumed, "
        + "as in the source\n")
    #expect(result.status == 0)
  }
}
