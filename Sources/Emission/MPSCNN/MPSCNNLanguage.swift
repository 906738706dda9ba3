import ModelIR
import Transforms

extension PackageLanguage {
  /// Metal Performance Shaders: a class with a property for each of MPSCNN's kernels.
  static let mpscnn = PackageLanguage(
    name: "mpscnn", target: "mps", platforms: ".macOS(.v11), .iOS(.v14)",
    suffixes: ["Concatenation", "Images", "Kernels", "Normalization", "Pixels", "Weights"]
  ) { model throws(NetconvError) in
    let network = MPSCNNNetworkSource(
      try MPSCNNPlan(model.model.arranged(for: Target.named("mps"))), model)
    let templates = MPSCNNTemplates(name: model.name)
    var files = [
      "": network.text, "Images": network.imagesText,
      "Pixels": templates.pixels(storesHalves: model.storesHalves),
    ]
    files["Kernels"] = network.kernelsText
    if network.hasWeights { files["Weights"] = templates.weights }
    if network.hasNormalizations { files["Normalization"] = templates.normalization }
    if network.hasConcatenations { files["Concatenation"] = templates.concatenation }
    return PackageModule(
      files: files, tensorValues: templates.tensorValues,
      takesSeveralInputs: model.model.inputs.count > 1)
  }
}
