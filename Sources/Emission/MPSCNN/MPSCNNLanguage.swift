import ModelIR
import Transforms

extension PackageLanguage {
  /// Metal Performance Shaders: a class with a property for each of MPSCNN's kernels.
  static let mpscnn = PackageLanguage(
    name: "mpscnn", target: "mps", platforms: ".macOS(.v11), .iOS(.v14)",
    suffixes: ["Concatenation", "Images", "Kernels", "Normalization", "Pixels", "Weights"]
  ) { model throws(NetconvError) in
    let network = MPSCNNNetworkSource(
      try MPSCNNPlan(model.model.arranged(for: Target.named("mps"))), model: model.model.name,
      source: model.source,
      storesHalves: model.storesHalves)
    var files = [
      "": network.text, "Images": network.imagesText,
      "Pixels": MPSCNNTemplates.pixels(storesHalves: model.storesHalves),
    ]
    files["Kernels"] = network.kernelsText
    if network.hasWeights { files["Weights"] = MPSCNNTemplates.weights }
    if network.hasNormalizations { files["Normalization"] = MPSCNNTemplates.normalization }
    if network.hasConcatenations { files["Concatenation"] = MPSCNNTemplates.concatenation }
    return PackageModule(
      files: files, tensorValues: MPSCNNTemplates.tensorValues,
      takesSeveralInputs: model.model.inputs.count > 1)
  }
}
