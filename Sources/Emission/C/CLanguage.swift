/// A language for files that run a network, without a package around them.
public struct LibraryLanguage: Sendable {
  /// The name of the language on the command line.
  public let name: String
  /// The lines of the description in `--help`.
  public let help: String
}

extension EmittedLanguage {
  /// C: a header, a source and the weights.
  package static let c = EmittedLanguage.library(
    LibraryLanguage(
      name: "c",
      help: """
        C99 that is C++ too, for a microcontroller, a plug-in or a simulation: a
        header, a source, the weights, a self-test and a program that classifies.
        Float32; no allocation, no global state, nothing but math.h.
        """))
}
