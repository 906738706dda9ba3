import Emission
import ModelIR

/// A model to write as C, and its destination.
public struct EmitLibraryRequest: Sendable {
  /// The path of a model in any format that netconv reads.
  public var source: String
  /// The folder of the files.
  public var destination: String
  /// The language, which must be one for libraries.
  public var language: EmittedLanguage
  /// The prefix of all names; by default made of that of the source.
  public var name: String?
  /// The form of the weights; `nil` for an array up to 4 MB, and a file beyond.
  public var weights: LibraryWeights?
  /// The size of all axes that the model leaves open.
  public var length: Int?
  /// Options for reading the source.
  public var options = SourceOptions()
  /// Operators that replace layers that cannot be read, as `LAYER=OPERATOR(attribute: value, …)`.
  public var replacements: [String] = []
  /// True if files of an earlier network may be replaced.
  public var force = false
  /// The test cases of the self-test.
  public var goldens = GoldensRequest(samples: 4)

  /// Creates a request for `source` as files in the folder `destination`.
  public init(source: String, destination: String, language: EmittedLanguage) {
    self.source = source
    self.destination = destination
    self.language = language
  }
}

/// A network in C that was written.
public struct EmitLibraryReport: Sendable {
  /// The folder, as given by the caller.
  public let destination: String
  /// The prefix of all names.
  public let name: String
  /// The files, relative to the folder.
  public let files: [String]
  /// The number of parameters.
  public let parameterCount: Int
  /// The number of floats of working memory.
  public let arenaCount: Int
}
