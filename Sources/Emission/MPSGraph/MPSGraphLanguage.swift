import ModelIR

extension PackageLanguage {
  /// Metal Performance Shaders Graph: a class that builds a graph and runs it.
  static let mpsgraph = PackageLanguage(
    name: "mpsgraph", target: "mpsgraph", platforms: ".macOS(.v12), .iOS(.v15)",
    suffixes: ["Activations", "Layers", "Values"]
  ) { model throws(NetconvError) in
    let plan = try MPSGraphPlan(model.model)
    let templates = MPSGraphTemplates(name: model.name)
    var files = [
      "": MPSGraphNetworkSource(plan, model).text,
      "Activations": templates.activations,
      "Values": templates.values(storesHalves: model.storesHalves),
    ]
    let helpers = plan.helpers(storesHalves: model.storesHalves)
    if !helpers.isEmpty {
      files["Layers"] = templates.layers(helpers, storesHalves: model.storesHalves)
    }
    return PackageModule(
      files: files, tensorValues: templates.tensorValues,
      takesSeveralInputs: model.model.inputs.count > 1)
  }
}
