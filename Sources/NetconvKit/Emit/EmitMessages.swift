import Emission
import ModelIR

/// The wording of every error about emitted code.
extension NetconvError {
  static func notInLanguage(_ layers: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "\(layers.count) \(layers.count == 1 ? "layer" : "layers") cannot be said in the model language",
      details: layers)
  }

  static var reachesNoOutput: NetconvError {
    NetconvError(.badData, "reaches no output")
  }

  static func noWord(_ name: String) -> NetconvError {
    NetconvError(.badData, "there is no word for this \(name)")
  }

  static func notAPackage(_ language: EmittedLanguage) -> NetconvError {
    NetconvError(
      .usage,
      text: "\(language.rawValue) is written as text, not as a package; leave out \(.destination)")
  }

  static func notAText(_ language: EmittedLanguage) -> NetconvError {
    NetconvError(
      .usage,
      text: "\(language.rawValue) is written as a package; name its folder with \(.destination)")
  }

  static var unfinishedPackage: NetconvError {
    NetconvError(.internal, "a package was published without weights")
  }
}
