import ArgumentParser

/// Which of several networks in a file is meant.
struct EntryOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The part of a PyTorch file that holds the weights, where there are several: model, ema, \
      models.generator; a dot for the whole file.
      """, valueName: "name"))
  var entry: String?
}
