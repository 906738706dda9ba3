import ModelIR

/// Which package is to be written, of what, and where.
public struct EmitRequest: Sendable {
  /// Anything that netconv reads.
  public var source: String
  /// The folder of the package.
  public var destination: String
  /// The language; one that packages are written in.
  public var language: EmittedLanguage
  /// What the module is called; by default what the source is.
  public var name: String?
  /// How the package stores kernels and the values between layers.
  public var precision = Precision.float16
  /// How it is read.
  public var options = SourceOptions()
  /// Operators in the place of layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`.
  public var replacements: [String] = []
  /// Whether normalisations and scales go into the kernels before them, where the graph allows.
  public var foldsBatchNormalization = true
  /// A file with the names of the classes, as ``RunRequest/labels`` has it.
  public var labels: String?
  /// Whether the package takes pictures, if the model does.
  public var takesPictures = true
  /// Whether an earlier package may be replaced.
  public var force = false
  /// The test cases that are stored with the weights.
  public var goldens = GoldensRequest(samples: 4)

  /// A package of `source` in the folder `destination`.
  public init(source: String, destination: String, language: EmittedLanguage) {
    self.source = source
    self.destination = destination
    self.language = language
  }
}
