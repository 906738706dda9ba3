import ArgumentParser
import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The ways to end the process.
enum Process {
  static func end(_ status: ExitStatus) -> Never {
    exit(status.rawValue)
  }

  /// Writes the result and exits with `status`.
  static func end(afterResult status: ExitStatus) -> Never {
    do throws(NetconvError) {
      try Output.flush()
    } catch {
      end(error)
    }
    end(status)
  }

  /// Exits with the error's text and exit code.
  static func end(_ error: NetconvError) -> Never {
    Signals.disarm()
    // Tables printed so far precede the error.
    try? Output.flush()
    Output.error("netconv: error: \(error.options)")
    end(ExitStatus(error.kind))
  }

  /// Exits with the argument parser's output: help on stdout, errors on stderr.
  static func end(parsing error: any Error) -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let unknown = UnknownName(in: arguments)
    // The parser treats help for an unknown subcommand as a request for help.
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
