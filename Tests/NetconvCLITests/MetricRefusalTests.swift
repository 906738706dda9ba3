import ModelIR
import TestSupport
import Testing

@Suite("verify refuses what it cannot measure")
struct MetricRefusalTests {
  /// Runs a model of the fixtures on its own test set, changed.
  private func verify(
    _ model: String, _ options: [String],
    change: (inout NDArray<Float>, inout NDArray<Float>) -> Void = { _, _ in }
  ) throws -> NetconvProcess.Result {
    let line = try CommandLine()
    try line.writeSequences(model, change: change)
    try line.folder.copy(Fixtures.path("metrics/\(model).h5"), to: "m.h5")
    return try NetconvProcess.run(
      ["verify", "m.h5", "--images", "x.npy", "--labels", "y.npy"] + options, in: line.folder.path)
  }

  @Test("classes and quantities are not taken for each other")
  func kinds() throws {
    expectError(
      try verify("one", ["--metric", "accuracy"]), 64,
      "m.h5: returns one number, from layer 'fc', and the targets are not all 0 or 1; for a quantity pass --metric mae, "
        + "mse, rmse or r2")
    expectError(
      try verify("binary", ["--metric", "mse"]), 64,
      "y.npy: the targets and the model's outputs are classes; pass --metric accuracy")
    expectError(
      try verify("words", ["--metric", "mae"]), 64,
      "y.npy: the targets have shape (36), expected (36, 3), one for each value of the output; the outputs are "
        + "probabilities, so for classes pass --metric accuracy")
    expectError(
      try verify("words", ["--find-preparation"]), 64,
      "m.h5: leave out --find-preparation, which needs images with one class each")
  }

  @Test("a single output is a class only where the last layer tells which")
  func singleOutputs() throws {
    let line = try CommandLine()
    try line.folder.write(npy("<f4", "(2, 1)", littleEndian([0.25, 3])), to: "x.npy")
    try line.folder.write(npy("|u1", "(2,)", [0, 1]), to: "y.npy")
    for (layer, message) in [
      (
        #""operator": "Identity""#,
        "returns one number, and its last layer does not imply a threshold for class 1; pass --threshold T, or for "
          + "a quantity --metric mae, mse, rmse or r2"
      ),
      (
        #""operator": "Activation", "attributes": {"function": "softmax"}"#,
        "returns the softmax of a single value, which is always 1; a sigmoid was probably meant"
      ),
    ] {
      try line.folder.write(
        """
        {"format": "netconv-model", "version": 1, "name": "m",
         "inputs": [{"name": "x", "shape": [1]}], "outputs": ["y"],
         "layers": [{"name": "y", "inputs": ["x"], \(layer)}]}
        """, to: "m/model.json")
      let result = try line.netconv("verify", "m", "--images", "x.npy", "--labels", "y.npy")
      expectError(result, 64, "m: \(message)")
    }
  }

  @Test("samples and targets of other shapes are refused")
  func shapes() throws {
    let rest =
      "one for each value of the output; targets are not broadcast, except that a last axis "
      + "of size 1 may be missing or added"
    expectError(
      try verify("several", ["--metric", "mae"]) { _, y in
        y = NDArray(shape: [11, 1], values: Array(y.values.prefix(11)))
      }, 64, "y.npy: the targets have shape (11, 1), expected (11, 3), \(rest)")
    expectError(
      try verify("steps", ["--metric", "mae"]) { _, y in
        y = NDArray(shape: [31, 1, 5], values: y.values)
      }, 64, "y.npy: the targets have shape (31, 1, 5), expected (31, 5, 1), \(rest)")
    expectError(
      try verify("one", ["--metric", "mae"]) { x, _ in
        x = NDArray(shape: [40, 3, 7], values: x.values)
      }, 64,
      "x.npy: samples of shape (3, 7) do not fit the model's input (7, 3); the two axes are swapped: "
        + "numpy.swapaxes(x, 1, 2) swaps them back")
    expectError(
      try verify("one", ["--metric", "mae"]) { x, _ in
        x = NDArray(shape: [40, 21], values: x.values)
      }, 64,
      "x.npy: samples of shape (21) do not fit the model's input (7, 3); pass samples of that shape"
    )
    expectError(
      try verify("tags", []) { _, y in
        y = NDArray(shape: [34], values: Array(y.values.prefix(34)))
      }, 65,
      "y.npy: the labels have shape [34], expected [34, 6], one class for each position of the output, or [34, 6, 4], "
        + "one-hot rows")
  }

  @Test("targets that are not finite are named")
  func notFinite() throws {
    expectError(
      try verify("several", ["--metric", "mae"]) { _, y in
        y.values[7] = .nan
        y.values[9] = .infinity
      }, 65,
      "y.npy: the target of sample 2 holds nan, and 2 targets are not finite in all; leave out samples without a target"
    )
  }

  @Test("bytes of a sequence are scaled as pixels are, and that is said")
  func bytes() throws {
    let line = try CommandLine()
    try line.writeSequences("one") { _, _ in }
    try line.folder.write(npy("|u1", "(40, 7, 3)", (0..<840).map { UInt8($0 % 251) }), to: "x.npy")
    let scaled = try line.verifySequences("one", ["--metric", "mae"])
    #expect(
      scaled.errors
        == "netconv: warning: the values are bytes, and were taken for pixels from 0 to 1; if they are quantities, "
        + "pass --scale 1\n")
    #expect(
      scaled.output.contains(
        "\npixels     multiplied by 1/255 (bytes, and the model records no scale)\n"))
    let own = try line.verifySequences("one", ["--metric", "mae", "--scale", "1"])
    expectSuccess(own)
  }
}
