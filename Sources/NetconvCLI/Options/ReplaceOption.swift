import ArgumentParser

/// The replacements for unsupported layers.
struct ReplaceOption: ParsableArguments {
  @Option(
    name: .customLong("replace"),
    help: ArgumentHelp(
      """
      Replace a Lambda or custom layer with an operator without weights: \
      'lambda_1=Rescaling(scale: 1/127.5, offset: -1)', with the names of model.json. Can be repeated.
      """, valueName: "layer=operator"))
  var replacements: [String] = []
}
