internal import Memory
import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Returns the system's message for an error number: `No such file or directory`.
public func systemMessage(_ code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "error \(code)"
}

/// The errors about files.
extension NetconvError {
  /// The error for a file that cannot be opened.
  static func cannotOpen(_ path: String, _ code: Int32) -> NetconvError {
    let message =
      switch code {
      case ENOENT: "no such file or folder; check the path"
      case EACCES, EPERM: "permission denied; it must be readable"
      default: "cannot be opened (\(systemMessage(code)))"
      }
    return NetconvError(.cannotOpen, message).inFile(path)
  }

  static func cannotRead(_ path: String, _ code: Int32) -> NetconvError {
    NetconvError(.inputOutput, "cannot be read (\(systemMessage(code)))").inFile(path)
  }

  /// The error for a file that was modified while it was read.
  public static func changedWhileRead(_ path: String) -> NetconvError {
    NetconvError(
      .inputOutput,
      "was changed while it was read; nothing was written, so run again when no other program writes to it"
    ).inFile(path)
  }

  static func cannotCreate(_ path: String, _ code: Int32) -> NetconvError {
    let message =
      switch code {
      case ENOENT, ENOTDIR: "cannot be created; its folder does not exist"
      case EEXIST: "cannot be created; something else is there, so choose another path"
      default: "cannot be created (\(systemMessage(code))); choose another path"
      }
    return NetconvError(.cannotCreate, message).inFile(path)
  }

  /// The error for a file or folder that exceeds the free space at its destination.
  static func noRoom(_ path: String, wanted: Int, found: Int) -> NetconvError {
    NetconvError(
      .inputOutput,
      "takes \(byteText(wanted)), but only \(byteText(found)) are free there; make room and run "
        + "again"
    ).inFile(path)
  }
}
