import ModelIR
import TestSupport
import Testing

/// Errors about one of several files name this file.
@Suite("errors name the file that is wrong")
struct WrongFileTests {
  private static let mnist = Fixtures.sample("deep-mnist/deep-mnist.h5")

  private func array(_ shape: [Int]) -> NDArray<Float> {
    NDArray(shape: shape, values: Array(repeating: 0.5, count: shape.reduce(1, *)))
  }

  @Test("inputs of goldens that do not fit are their file's", arguments: ["convert", "emit"])
  func goldenInputs(verb: String) throws {
    let line = try CommandLine()
    try writeArchive([("image", array([2, 27, 28, 1]))], to: line.folder.file("x.npz"))
    let options =
      verb == "convert" ? ["out", "--goldens", "2"] : ["--language", "mpscnn", "--output", "out"]
    expectError(
      try line.netconv([verb, Self.mnist] + options + ["--golden-inputs", "x.npz", "-q"]), 64,
      "x.npz: the array for the input 'image' has shape (2, 27, 28, 1), expected (None, 28, 28, 1), where the first "
        + "axis is the batch")
    #expect(try line.names() == ["x.npz"])
  }

  @Test("labels beside an .npz, and in one, are said to be so")
  func labels() throws {
    let line = try CommandLine()
    try writeArchive(
      [("x_test", array([5, 28, 28, 1])), ("y_test", array([5]))], to: line.folder.file("xy.npz"))
    try line.folder.write(npy("|u1", "(5,)", [0, 1, 2, 3, 4]), to: "y.npy")
    try line.folder.write(
      npy("|u1", "(5, 28, 28)", [UInt8](repeating: 9, count: 3920)), to: "x.npy")
    expectError(
      try line.netconv("verify", Self.mnist, "--images", "xy.npz", "--labels", "y.npy"), 65,
      "xy.npz: is an .npz, which holds samples with their labels, as 'x_test' and 'y_test'; leave out --labels, or pass "
        + "samples as IDX or .npy")
    expectError(
      try line.netconv("verify", Self.mnist, "--images", "x.npy", "--labels", "xy.npz"), 65,
      "xy.npz: is an .npz, but --labels needs one array; pass labels as IDX or .npy, or samples and labels as one .npz, "
        + "as 'x_test' and 'y_test'")
  }
}
