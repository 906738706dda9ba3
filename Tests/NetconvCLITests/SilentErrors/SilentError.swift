import TestSupport
import Testing

/// Something that users do wrong, and how they are told.
struct SilentError: Sendable, CustomTestStringConvertible {
  /// The verb that meets the mistake.
  let verb: String
  /// The mistake, in a few words.
  let mistake: String
  /// The exit code of the program; with 0 there has to be a warning.
  let status: Int32
  /// Words that name the mistake.
  let words: String
  /// Makes the mistake, and runs the program on it.
  let run: @Sendable (CommandLine) throws -> NetconvProcess.Result

  var testDescription: String { "\(verb): \(mistake)" }

  init(
    _ verb: String, _ mistake: String, _ status: Int32, _ words: String,
    run: @escaping @Sendable (CommandLine) throws -> NetconvProcess.Result
  ) {
    self.verb = verb
    self.mistake = mistake
    self.status = status
    self.words = words
    self.run = run
  }

  /// All of them, in the order of the documentation.
  static let all =
    inImages + inLabels + inSequences + inPredictions + inDeclaredLayouts + inValues + inAttributes
    + inOutputs
    + inContainers + inRuns + inPictures + inDifferences + inConversions + inProbes + inGoldens
    + inSequenceLayers + inAudio + inCheckpoints + inPyTorch + inQuantised + inAdapters + inRules
    + inBindings
    + inRelations + inVerdicts + inGraphs + inTFLite + inSteps + inPages
}
