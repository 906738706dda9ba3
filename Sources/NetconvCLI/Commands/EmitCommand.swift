import ArgumentParser
import NetconvKit

/// `netconv emit`.
struct EmitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emit",
    abstract: "Writes a network as source text.",
    discussion: """
      PATH is anything that netconv reads. The text is a Swift function that
      builds the same network with the layers of ModelDSL; where its parameters
      come from is an argument. No weight is read.

        netconv emit ckpt.h5 --language dsl > Network.swift
      """)

  @Argument(help: "What to write as source text.", completion: .file())
  var path: String

  @Option(help: ArgumentHelp("The language: dsl.", valueName: "language"))
  var language = EmittedLanguage.dsl

  @OptionGroup var model: ArchitectureOption

  func validate() throws {
    try checkPaths(("PATH", path), ("--model", model.architecture))
  }

  func run() throws {
    Output.print(
      try Netconv.emit(path, language: language, architecture: model.architecture))
  }
}

extension EmittedLanguage: ExpressibleByArgument {}
