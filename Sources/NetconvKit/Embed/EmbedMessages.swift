import Emission
import ModelIR

/// Error messages about embedding in a build.
extension NetconvError {
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
