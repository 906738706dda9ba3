import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// The errors of this module.

extension NetconvError {
  static func notReady(_ purpose: HelperPurpose, _ program: String, _ end: HelperEnd)
    -> NetconvError
  {
    NetconvError(
      .cannotOpen,
      "\(purpose.deed) in a separate process, but \(quoted(program)) is not a program for that"
        + end.words)
  }

  static func ended(_ end: HelperEnd, in library: String) -> NetconvError {
    switch end {
    case .signal(SIGXCPU):
      NetconvError(.badData, "damaged: \(library) does not finish with it")
    case .signal(SIGSYS):
      NetconvError(
        .badData, "damaged: \(library) made a system call with it that reading does not need")
    default: NetconvError(.badData, "damaged: \(library) crashed with it" + end.words)
    }
  }

  /// The error for malformed messages from the helper.
  package static func answersNonsense(_ purpose: HelperPurpose) -> NetconvError {
    NetconvError(.badData, "damaged: \(purpose.name) sends an invalid answer")
  }

  /// Adds the object that the helper was processing to the error.
  func at(_ object: String) -> NetconvError {
    guard !object.isEmpty else { return self }
    var error = self
    error.text = "object \(quoted(object)): \(text)"
    return error
  }
}

extension HelperEnd {
  fileprivate var words: String {
    switch self {
    case .signal(let number): " (signal \(number))"
    case .exit(let code): " (exit code \(code))"
    case .unknown: ""
    }
  }
}
