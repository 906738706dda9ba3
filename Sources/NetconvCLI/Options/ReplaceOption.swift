import ArgumentParser

/// The replacements for unsupported layers.
struct ReplaceOption: ParsableArguments {
  @Option(
    name: .customLong("replace"),
    help: ArgumentHelp(
      """
      Put an operator without weights in the place of a Lambda or custom layer: \
      'lambda_1=Rescaling(scale: 1/127.5, offset: -1)', with model.json's names. Can be repeated.
      """, valueName: "layer=operator"))
  var replacements: [String] = []
}
