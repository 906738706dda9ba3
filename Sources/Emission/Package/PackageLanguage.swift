import ModelIR

/// A language that packages are written in.
public struct PackageLanguage: Sendable {
  /// Every language, in the order in which they are listed.
  public static let all: [PackageLanguage] = [
    .mpscnn,
    .mpsgraph,
  ]

  /// What users call it.
  public let name: String
  /// The consumer that the weights have to be converted for.
  public let target: String
  /// The systems that have everything a package uses, as its manifest names them.
  let platforms: String
  /// What the names of a module's files can have behind the package's name, except those that every package has.
  let suffixes: [String]
  /// Writes a network.
  let module: @Sendable (PackageModel) throws(NetconvError) -> PackageModule

  /// The language called `name`, if there is one.
  public static func named(_ name: String) -> PackageLanguage? { all.first { $0.name == name } }
}

/// What a language needs to know of a model.
struct PackageModel: Sendable {
  /// What the package is called.
  let name: PackageName
  /// The model as it was read.
  let model: Model
  /// What it was read from, for a comment.
  let source: String
  /// Whether values between layers, and kernels, are of float16; of float32 otherwise.
  let storesHalves: Bool
}

/// What a language writes of a model.
struct PackageModule: Sendable {
  /// The text of each file, by what its name has behind the package's.
  var files: [String: String]
  /// A member of the type of tensors that gives its values the way in which this language wants them.
  var tensorValues: String
  /// Whether `predict` takes an array of inputs.
  var takesSeveralInputs = false
}
