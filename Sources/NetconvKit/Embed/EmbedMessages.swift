import Emission
import ModelIR

/// Error messages about embedding in a build.
extension NetconvError {
  static func noEmbeddedLanguage(_ word: String) -> NetconvError {
    let known = PackageLanguage.all.map(\.name)
    return NetconvError(
      .badData,
      "there is no language \(quoted(word)) for builds; known are \(known.joined(separator: ", "))")
  }

  static func targetOfLanguage(_ language: PackageLanguage) -> NetconvError {
    NetconvError(
      .badData, "\(language.name) has its own layouts; leave out the target, or the language")
  }

  static func precisionOfCode(_ language: PackageLanguage) -> NetconvError {
    NetconvError(
      .badData,
      "code of \(language.name) supports float16 or float32, the same for all kernels; name one of them"
    )
  }

  static var nameWithoutCode: NetconvError {
    NetconvError(.badData, "no language is named, so there is no code to name")
  }

  static func noPlaceForCode(_ language: PackageLanguage) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "code of \(language.name) has no file here; name one with \(.code), or build it into a Swift target"
    )
  }

  /// Returns the same error, about the value of `key` in a file of options.
  func inOption(_ key: String) -> NetconvError {
    var error = self
    error.text = "\(key): \(text)"
    return error
  }

  /// Returns the same error, about a setting of the request.
  func inSetting(_ setting: Remedy) -> NetconvError {
    var error = self
    error.text = "\(setting): \(text)"
    return error
  }

  /// Returns the same error, about the options in `file`: wrong usage of a command is bad data in a file.
  func ofOptions(_ file: String) -> NetconvError {
    var error = self
    if kind == .usage { error.kind = .badData }
    error.file = file
    return error
  }
}
