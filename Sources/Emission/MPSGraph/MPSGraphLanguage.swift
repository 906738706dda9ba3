import ModelIR

extension EmittedLanguage {
  /// Metal Performance Shaders Graph: a class that builds a graph and runs it.
  package static let mpsgraph = EmittedLanguage.package(
    PackageLanguage(
      name: "mpsgraph",
      help: """
        a Swift package that runs the network with MPSGraph, with its
        weights, 4 test cases, and a program that replays them. It takes batches,
        and has layers that MPSCNN lacks, convolutions over sequences among them.
        """,
      target: "mpsgraph", platforms: (macOS: 12, iOS: 15), files: MPSGraphFile.allCases,
      types: [
        "MPSCommandBuffer", "MPSDataType", "MPSGraph", "MPSGraphCompilationDescriptor",
        "MPSGraphConvolution2DOpDescriptor", "MPSGraphDepthwiseConvolution2DOpDescriptor",
        "MPSGraphDevice", "MPSGraphExecutable", "MPSGraphPooling2DOpDescriptor",
        "MPSGraphShapedType", "MPSGraphTensor", "MPSGraphTensorData", "MPSSupportsMTLDevice",
      ],
      tensorValues: .tensorData, pictures: MPSGraphFile.textures, takesPlanarPictures: true
    ) { model throws(NetconvError) in
      let plan = try MPSGraphPlan(model.model, model.customLayers)
      let helpers = plan.helpers(storesHalves: model.storesHalves)
      var pieces = RuntimePieces()
      for helper in helpers { pieces.insert(helper) }
      return PackageModule(
        network: MPSGraphNetworkSource(plan, model).text,
        files: MPSGraphFile.allCases.filter {
          $0 != .textures && ($0 != .layers || !helpers.isEmpty)
        }, pieces: pieces,
        takesSeveralInputs: model.model.inputs.count > 1,
        givesSeveralOutputs: plan.outputs.count > 1,
        customLayers: plan.customLayers.isEmpty ? nil : MPSGraphCustomSource(plan, model).text)
    })
}
