import ModelIR
import Transforms

extension EmittedLanguage {
  /// Metal Performance Shaders: a class with one property per MPSCNN kernel.
  package static let mpscnn = EmittedLanguage.package(
    PackageLanguage(
      name: "mpscnn",
      help: """
        a Swift package that runs the network with Metal Performance
        Shaders, with its weights, 4 test cases, and a program that replays them.
        """,
      target: "mps", platforms: (macOS: 11, iOS: 14), files: MPSCNNFile.allCases,
      types: [
        "MPSCNNAdd", "MPSCNNBatchNormalization", "MPSCNNBatchNormalizationDataSource",
        "MPSCNNConvolution", "MPSCNNConvolutionDataSource", "MPSCNNConvolutionDescriptor",
        "MPSCNNConvolutionTranspose", "MPSCNNDepthWiseConvolutionDescriptor", "MPSCNNDivide",
        "MPSCNNFullyConnected", "MPSCNNLogSoftMax", "MPSCNNMultiply", "MPSCNNNeuron",
        "MPSCNNPoolingAverage", "MPSCNNPoolingMax", "MPSCNNSoftMax", "MPSCNNSubtract",
        "MPSCNNUpsamplingNearest", "MPSDataType", "MPSImageCoordinate", "MPSImageDescriptor",
        "MPSImageEdgeMode",
        "MPSImageFeatureChannelFormat", "MPSNNNeuronDescriptor", "MPSNNPad", "MPSOffset",
        "MPSSupportsMTLDevice", "MPSTemporaryImage",
      ],
      tensorValues: .tensorFloats, pictures: MPSCNNFile.textures, takesPlanarPictures: false
    ) { model throws(NetconvError) in
      let plan = try MPSCNNPlan(
        model.model.arranged(for: Target.named("mps")), model.customLayers)
      return PackageModule(
        network: MPSCNNNetworkSource(plan, model).text, files: plan.files, pieces: plan.pieces,
        takesSeveralInputs: model.model.inputs.count > 1,
        givesSeveralOutputs: plan.outputs.count > 1,
        customLayers: plan.customLayers.isEmpty ? nil : MPSCNNCustomSource(plan, model).text,
        layersOfFloats: plan.layersOfFloats)
    })
}

extension MPSCNNPlan {
  /// The runtime files that the network needs.
  fileprivate var files: [MPSCNNFile] {
    let files = steps.reduce(into: [MPSCNNFile.images, .pixels] as Set) {
      $0.formUnion($1.kernel.files)
    }
    return MPSCNNFile.allCases.filter(files.contains)
  }

  /// The transposed convolutions, which need float32 weights.
  ///
  /// Source: Apple, MPSCNNConvolution.h: a transposed convolution's weights are float32.
  fileprivate var layersOfFloats: [String] {
    steps.filter { $0.kernel is TransposedConvolutionKernel }.map(\.layer)
  }

  /// The pieces of the runtime files that the network needs.
  fileprivate var pieces: RuntimePieces {
    var pieces = RuntimePieces()
    for step in steps {
      for piece in [step.kernel.function, step.kernel.piece].compactMap(\.self) {
        pieces.insert(piece)
      }
      if step.destination == nil, step.result == nil { pieces.insert(MPSCNNPiece.parts) }
      if step.destination != nil, step.result != nil { pieces.insert(MPSCNNPiece.slices) }
    }
    return pieces
  }
}
