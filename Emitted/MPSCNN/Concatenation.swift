import MetalPerformanceShaders

/// Copies images into one: the channels of the first, then those of the next.
struct NAMEConcatenation {
  private let copies: [MPSCNNNeuron]

  /// - Parameter channels: of each image. Images are stored in slices of four channels, and an image can begin only
  ///   with a slice; so all but the last are multiples of 4.
  init(device: MTLDevice, channels: [Int]) {
    var first = 0
    copies = channels.map { count in
      let copy = MPSCNNNeuron(
        device: device, neuronDescriptor: MPSNNNeuronDescriptor.cnnNeuronDescriptor(with: .none))
      copy.destinationFeatureChannelOffset = first
      first += count
      return copy
    }
  }

  func encode(
    commandBuffer: MTLCommandBuffer, sourceImages: [MPSImage], destinationImage: MPSImage
  ) {
    for (copy, image) in zip(copies, sourceImages) {
      copy.encode(
        commandBuffer: commandBuffer, sourceImage: image, destinationImage: destinationImage)
    }
  }
}
