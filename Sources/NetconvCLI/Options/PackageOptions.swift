import ArgumentParser
import ModelIR
import NetconvKit

/// The package that `emit` writes.
struct PackageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of the package. (default: none; a network is then printed as text)",
      valueName: "directory"),
    completion: .directory)
  var output: String?

  @Option(help: "The name of the package's module. (default: that of PATH or the folder)")
  var name: String?

  @Option(
    help: "The type of the package's images and kernels: float16 or float32. (default: float16)")
  var precision: Precision?

  @Flag(
    name: .customLong("fold-batch-norm"), inversion: .prefixedNo,
    help: """
      Fold normalisations and scales into the kernels before them, where the graph allows. (default: \
      --fold-batch-norm)
      """)
  var foldBatchNorm: Bool?

  @Option(
    help: ArgumentHelp(
      "The names of the classes: a line for each, or JSON; top() returns them. (default: their indices)",
      valueName: "file"),
    completion: .file())
  var labels: String?

  @Flag(help: "Replace an earlier package of the same name.")
  var force = false

  /// True if a package option other than the folder is given.
  var isAsked: Bool {
    name != nil || precision != nil || foldBatchNorm != nil || force || labels != nil
  }
}
