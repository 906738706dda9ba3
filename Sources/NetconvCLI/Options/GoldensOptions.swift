import ArgumentParser
import NetconvKit

/// The goldens that `convert` and `emit` create.
struct GoldensOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Store N inputs with the outputs of every layer, for verify --goldens or a package's self-test (Docs/goldens.md). (default: all of --golden-inputs; without them none, and 4 in a package)",
      valueName: "n"))
  var goldens: Int?

  @Option(
    help: ArgumentHelp(
      "The inputs of the goldens: .npy or .npz. (default: MNIST test images if they fit, else random numbers in the range that the first layers expect)",
      valueName: "file"),
    completion: .file(extensions: ["npy", "npz"]))
  var goldenInputs: String?

  func validate() throws {
    try checkPaths(("--golden-inputs", goldenInputs))
    let samples = 1...GoldensRequest.mostSamples
    if let goldens, !samples.contains(goldens) {
      throw ValidationError("--goldens \(goldens) is not a number from 1 to \(samples.upperBound)")
    }
  }

  /// The requested goldens; `nil` for none.
  var request: GoldensRequest? {
    goldens == nil && goldenInputs == nil
      ? nil : GoldensRequest(samples: goldens, inputs: goldenInputs)
  }
}
