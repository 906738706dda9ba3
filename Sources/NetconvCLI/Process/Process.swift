import ArgumentParser
import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The ways in which the process ends.
enum Process {
  static func end(_ status: ExitStatus) -> Never {
    exit(status.rawValue)
  }

  /// Ends with `status` after the result was written.
  static func end(afterResult status: ExitStatus) -> Never {
    do throws(NetconvError) {
      try Output.flush()
    } catch {
      end(error)
    }
    end(status)
  }

  /// Ends with the error's text and exit code.
  static func end(_ error: NetconvError) -> Never {
    Signals.disarm()
    // The tables that were printed so far belong before the error.
    try? Output.flush()
    Output.error("netconv: error: \(error.options)")
    end(ExitStatus(error.kind))
  }

  /// Ends with what the argument parser has to say: help on stdout, errors on stderr.
  static func end(parsing error: any Error) -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let unknown = UnknownName(in: arguments)
    // The parser takes help for a verb that does not exist as help.
    let isHelp = unknown == nil || arguments.first != UnknownName.help
    guard NetconvCommand.exitCode(for: error) != .success || !isHelp else {
      Output.print(NetconvCommand.fullMessage(for: error))
      end(afterResult: .success)
    }
    let usage = NetconvCommand.fullMessage(for: error).split(
      separator: "\n", omittingEmptySubsequences: false
    ).drop { !$0.hasPrefix("Usage:") }.joined(separator: "\n")
    Output.error("netconv: error: " + (unknown?.message ?? NetconvCommand.message(for: error)))
    if !usage.isEmpty { Output.error(usage) }
    end(.usage)
  }
}
