import Emission
import ModelIR

/// The wording of every error about emitted code.
extension NetconvError {
  static func notAPackage(_ language: EmittedLanguage) -> NetconvError {
    NetconvError(
      .usage, "\(language.name) is written as text, not as a package; leave out --output")
  }

  static func notAText(_ language: EmittedLanguage) -> NetconvError {
    NetconvError(
      .usage, "\(language.name) is written as a package; name its folder with --output")
  }

  static var unfinishedPackage: NetconvError {
    NetconvError(.internal, "a package was published without weights")
  }
}
