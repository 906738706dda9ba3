import Lowering
import ModelIR

/// A model to write as a package, and its destination.
public struct EmitRequest: Sendable {
  /// The path of a model in any format that netconv reads.
  public var source: String
  /// The folder of the package.
  public var destination: String
  /// The language, which must be one for packages.
  public var language: EmittedLanguage
  /// The name of the module; by default that of the source.
  public var name: String?
  /// The precision of kernels, and of the values between layers, in the package.
  public var precision = Precision.float16
  /// Options for reading the source.
  public var options = SourceOptions()
  /// Operators that replace layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`.
  public var replacements: [String] = []
  /// True to fold normalisations and scales into the preceding kernels, where the graph allows it.
  public var foldsBatchNormalization = true
  /// A file with the names of the classes, as in ``RunRequest/labels``.
  public var labels: String?
  /// True if the package is to accept pictures, provided that the model does.
  public var takesPictures = true
  /// True if an earlier package may be replaced.
  public var force = false
  /// The test cases that are stored with the weights.
  public var goldens = GoldensRequest(samples: 4)

  /// Creates a request for a package of `source` in the folder `destination`.
  public init(source: String, destination: String, language: EmittedLanguage) {
    self.source = source
    self.destination = destination
    self.language = language
  }
}
