import ArgumentParser
import ModelIR
import NetconvKit

/// The package that `emit` writes.
struct PackageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of the package or of the files. (default: none; a network is then printed as text)",
      valueName: "directory"),
    completion: .directory)
  var output: String?

  @Option(
    help:
      "The name of the package's module, or the prefix in C. (default: that of PATH or the folder)")
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

  @Option(
    help: """
      C: the weights as constants (array) or in a file that is checked when it is opened (file). (default: array up \
      to 4 MB)
      """)
  var weights: LibraryWeights?

  @Option(
    help: ArgumentHelp(
      "C: the size of axes that the network leaves open, such as the steps of a sequence. (default: none)",
      valueName: "n"))
  var length: Int?

  @Flag(help: "Replace an earlier package of the same name.")
  var force = false

  /// True if a package option other than the folder is given.
  var isAsked: Bool {
    name != nil || precision != nil || foldBatchNorm != nil || force || labels != nil
      || weights != nil || length != nil
  }
}

extension LibraryWeights: ExpressibleByArgument {}
