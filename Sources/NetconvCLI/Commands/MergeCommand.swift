import ArgumentParser
import ModelIR
import NetconvKit

/// The command `netconv merge`.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Makes one report of what verify --shard has found on several machines.",
    discussion: """
      The report is that of one run over all samples, but for the time it took: it
      shows the same, and exits with 1 where that would. Every shard has to be there
      once, of the same network, samples, options, version and vector instructions;
      the order of the files does not matter.

        for i in 1 2 3 4; do
          netconv verify out/ --shard $i/4 --json > shard-$i.json
        done
        netconv merge shard-*.json
      """)

  @Argument(
    help: ArgumentHelp("What verify --shard has printed.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var paths: [String]

  @Flag(help: "Show how often each class was taken for each other.")
  var confusion = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    for path in paths { try checkPaths(("FILE", path)) }
  }

  func run() throws {
    let report = try Netconv.merge(paths)
    try VerifyRendering.conclude(report, output, withConfusion: confusion)
  }
}
