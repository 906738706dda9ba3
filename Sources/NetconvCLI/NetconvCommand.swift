import ArgumentParser
import ModelIR
import NetconvKit

/// The command line of netconv.
public struct NetconvCommand: ParsableCommand {
  /// The name, help and subcommands.
  public static let configuration = CommandConfiguration(
    commandName: "netconv",
    abstract: "Converts trained networks for the code that runs them, and verifies the result.",
    discussion: """
      netconv inspect ckpt.h5        shows layers, shapes, layouts and sizes
      netconv convert ckpt.h5 out/   writes the weights, an archive, a manifest
      netconv verify out/            runs the written files, shows their accuracy
      netconv verify out/ --against ckpt.h5
                                     compares every layer with the source

      A SOURCE or PATH is a Keras .h5 or .keras file, a TensorFlow checkpoint or
      graph, an ONNX or TensorFlow Lite model, a PyTorch, safetensors or GGUF
      file, NumPy arrays, a folder of raw blobs with model.json, or netconv's
      output: a folder or a .netpack archive; help formats lists all formats.
      The format is found by content, not by name.

      Exit codes: 0 success, 1 the verdict is negative, 64 wrong usage, 65 bad data,
      66 an input cannot be opened, 70 an error in netconv, 73 an output cannot
      be created, 74 an I/O error, 130 interrupted.

      More help: netconv help formats|targets|layers|model.json
      Shell completions: netconv --generate-completion-script bash|zsh|fish
      """,
    version: Netconv.version,
    subcommands: [
      ConvertCommand.self, InspectCommand.self, VerifyCommand.self, MergeCommand.self,
      RunCommand.self, DiffCommand.self, RelateCommand.self, ProbeCommand.self, EmitCommand.self,
      EmbedCommand.self,
    ])

  /// Creates a command without arguments, which prints the help.
  public init() {}

  /// Parses the arguments, runs the command, and ends the process.
  public static func start() -> Never {
    Netconv.serveLibraryCallsIfAsked()
    Signals.install()
    LeastMemory.require()
    Helpers.use()
    do {
      try Arguments.check()
      if let topic = try HelpTopic(in: Array(CommandLine.arguments.dropFirst())) {
        Output.print(topic.text)
        Process.end(afterResult: .success)
      }
      // File names in the arguments are compared byte for byte.
      var command = try parseAsRoot(CommandLine.arguments.dropFirst().map(\.exact))
      try command.run()
      try Output.flush()
      Process.end(.success)
    } catch let error as NetconvError {
      Process.end(error)
    } catch let code as ExitStatus {
      Process.end(afterResult: code)
    } catch {
      Process.end(parsing: error)
    }
  }
}
