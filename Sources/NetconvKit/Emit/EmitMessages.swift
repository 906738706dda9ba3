import Emission
import ModelIR

/// Error messages about emitted code.
extension NetconvError {
  static func notAPackage(_ language: EmittedLanguage) -> NetconvError {
    guard language.filters == nil else {
      return NetconvError(.usage, "\(language.name) is a language for filters; it has no networks")
    }
    return NetconvError(
      .usage,
      text: "\(language.name) is written as text, not as a package; leave out \(.destination)")
  }

  static func notAText(_ language: EmittedLanguage) -> NetconvError {
    NetconvError(
      .usage,
      text: "\(language.name) is written as a package; name its folder with \(.destination)")
  }

  static func noFilters(in language: EmittedLanguage) -> NetconvError {
    NetconvError(
      .usage, text: "\(language.name) is a language for networks; leave out \(.filters)")
  }

  static func classesOfSeveralOutputs(_ outputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "has the outputs \(outputs.map { quoted($0) }.joined(separator: ", ")), and labels are for a single output; "
        + "leave out \(.labels)")
  }

  static var unfinishedPackage: NetconvError {
    NetconvError(.internal, "a package was published without weights")
  }
}
