import ModelIR

// What the app computes.

extension MPSCNNPlan {
  /// Adds a call of the app's.
  mutating func custom(_ inputs: [Value], _ layer: Layer) throws(NetconvError) -> Value {
    guard let requirement = customLayers.function(of: layer.name) else {
      throw .noKernel(type(of: layer.operation).name)
    }
    return add(
      MPSCNNStep(
        layer: layer.name, result: layer.name, kernel: CustomKernel(requirement: requirement),
        reads: inputs.map(\.source), shape: try ImageShape(layer.outputShape)))
  }

  /// Whether the app reads or writes an image: nobody knows how often, so that it is no temporary one.
  func isOfApp(_ source: MPSCNNStep.Source) -> Bool {
    steps.indices.contains { index in
      steps[index].kernel.customFunction != nil
        && (source == .step(index) || steps[index].reads.contains(source))
    }
  }

  /// The images of a layer that the app computes.
  func images(of layer: String) -> (inputs: [ImageShape], output: ImageShape)? {
    steps.first { $0.layer == layer && $0.kernel.customFunction != nil }.map { step in
      (step.reads.map(shape), step.shape)
    }
  }
}
