import ArgumentParser
import ModelIR
import NetconvKit

/// The command `netconv merge`.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges the reports of verify --shard from several machines into one.",
    discussion: """
      Apart from the time, the report and the exit code are those of one run over all
      samples. Each shard must be given once, and all must have the same network,
      samples, options, version and vector instructions; the order of the files does
      not matter.

        for i in 1 2 3 4; do
          netconv verify out/ --shard $i/4 --json > shard-$i.json
        done
        netconv merge shard-*.json
      """)

  @Argument(
    help: ArgumentHelp("The reports that verify --shard printed.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var paths: [String]

  @Flag(help: "Show how often each class was predicted for each other class.")
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
