import ModelIR

/// The exit codes of the process, after sysexits.
enum ExitStatus: Int32, Error {
  case success = 0
  /// The work was completed with a negative verdict.
  case verdictIsNo = 1
  case usage = 64
  case badData = 65
  case cannotOpen = 66
  case software = 70
  case cannotCreate = 73
  case inputOutput = 74
  case interrupted = 130

  init(_ kind: NetconvError.Kind) {
    self =
      switch kind {
      case .usage: .usage
      case .badData: .badData
      case .cannotOpen: .cannotOpen
      case .internal: .software
      case .cannotCreate: .cannotCreate
      case .inputOutput: .inputOutput
      case .interrupted: .interrupted
      }
  }
}
