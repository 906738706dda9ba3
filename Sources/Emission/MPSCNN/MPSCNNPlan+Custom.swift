import ModelIR

// Custom layers.

extension MPSCNNPlan {
  /// Adds a call of a custom layer.
  mutating func custom(_ inputs: [Value], _ layer: Layer) throws(NetconvError) -> Value {
    guard let requirement = customLayers.function(of: layer.name) else {
      throw .noKernel(type(of: layer.operation).name)
    }
    return add(
      MPSCNNStep(
        layer: layer.name, result: layer.name, kernel: CustomKernel(requirement: requirement),
        reads: inputs.map(\.source), shape: try ImageShape(layer.outputShape)))
  }

  /// True if a custom layer reads or writes the image.
  ///
  /// It is not temporary then, because the number of reads is unknown.
  func isOfApp(_ source: MPSCNNStep.Source) -> Bool {
    steps.indices.contains { index in
      steps[index].kernel.customFunction != nil
        && (source == .step(index) || steps[index].reads.contains(source))
    }
  }

  /// The image shapes of a custom layer.
  func images(of layer: String) -> (inputs: [ImageShape], output: ImageShape)? {
    steps.first { $0.layer == layer && $0.kernel.customFunction != nil }.map { step in
      (step.reads.map(shape), step.shape)
    }
  }
}
