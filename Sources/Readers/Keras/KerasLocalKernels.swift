import ModelIR
import Operators

/// Kernels and biases of locally connected layers, which Keras stores in six formats.
///
/// Source: tf_keras, layers/locally_connected, `build`; backend, `local_conv` and `bias_add`; utils/conv_utils.py,
/// `conv_kernel_idxs`.
enum KerasLocalKernels {
  /// Returns the weights of a layer with their layouts.
  ///
  /// - Throws: `badData` if Keras has no such implementation.
  static func arranged(
    _ weights: [(name: String, stored: StoredTensor)], of layer: KerasLayerConfig
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    guard KerasLocallyConnected.classNames.contains(layer.className) else { return weights }
    let implementation = try layer.localImplementation()
    var arranged = weights
    for (index, weight) in weights.enumerated() {
      switch weight.name {
      case KerasWeight.kernel.name:
        arranged[index].stored = try kernel(weight.stored, of: layer, implementation)
      case KerasWeight.bias.name where layer.isChannelsFirst:
        arranged[index].stored = bias(weight.stored, of: layer)
      default: break
      }
    }
    return arranged
  }

  /// Returns true if the stored kernel has the shape and the layout of the operator's kernel.
  static func isPlain(_ layer: KerasLayerConfig) -> Bool {
    !KerasLocallyConnected.classNames.contains(layer.className)
      || !layer.isChannelsFirst && (try? layer.localImplementation()) == 1
  }

  private static func kernel(
    _ stored: StoredTensor, of layer: KerasLayerConfig, _ implementation: Int
  ) throws(NetconvError) -> StoredTensor {
    let axes = layer.isOfSequences ? "W" : "HW"
    var kernel = stored
    switch (implementation, layer.isChannelsFirst) {
    case (1, true): kernel.layout = Layout("L(I\(axes))O")
    case (1, false): break
    // The dense matrix of all outputs by all inputs, without its structural zeros.
    case (3, true): kernel.layout = Layout("(OLI\(axes))")
    case (3, false): kernel.layout = Layout("(LO\(axes)I)")
    default:
      let rank = axes.count
      kernel = LocalKernel.taken(
        from: stored, kernelSize: try layer.sizes("kernel_size", count: rank),
        strides: try layer.sizes("strides", count: rank, default: [Int](repeating: 1, count: rank)),
        isChannelsFirst: layer.isChannelsFirst)
    }
    return kernel
  }

  /// With channels first, Keras reads the values of (…, channels) as if they were (channels, …).
  private static func bias(_ stored: StoredTensor, of layer: KerasLayerConfig) -> StoredTensor {
    var bias = stored
    bias.layout = Layout(layer.isOfSequences ? "OW" : "OHW")
    bias.shape = stored.shape.map { $0.suffix(1) + $0.dropLast() }
    return bias
  }
}

/// The kernels `L(HWI)O`, extracted from a dense matrix of all inputs by all outputs.
private struct LocalKernel: TensorSource {
  let source: any TensorSource
  /// The spatial sizes of the input and the output.
  let input: [Int]
  let output: [Int]
  let inputChannels: Int
  let outputChannels: Int
  let kernelSize: [Int]
  let strides: [Int]
  let isChannelsFirst: Bool

  /// - Returns: The tensor unchanged, if its shape does not agree with the settings.
  static func taken(
    from stored: StoredTensor, kernelSize: [Int], strides: [Int], isChannelsFirst: Bool
  ) -> StoredTensor {
    let rank = kernelSize.count
    guard let shape = stored.shape, shape.count == 2 * (rank + 1), shape.allSatisfy({ $0 > 0 })
    else { return stored }
    let (ofInput, ofOutput) = (Array(shape.prefix(rank + 1)), Array(shape.suffix(rank + 1)))
    func places(_ sizes: [Int]) -> [Int] {
      Array(isChannelsFirst ? sizes.dropFirst() : sizes.dropLast())
    }
    func channels(_ sizes: [Int]) -> Int { sizes[isChannelsFirst ? 0 : rank] }
    let kernel = LocalKernel(
      source: stored.source, input: places(ofInput), output: places(ofOutput),
      inputChannels: channels(ofInput), outputChannels: channels(ofOutput), kernelSize: kernelSize,
      strides: strides, isChannelsFirst: isChannelsFirst)
    guard kernel.fits else { return stored }
    var taken = stored
    taken.source = kernel
    taken.shape = [
      kernel.output.reduce(1, *), kernel.taps * kernel.inputChannels, kernel.outputChannels,
    ]
    return taken
  }

  /// True if the number of windows agrees with the output size.
  private var fits: Bool {
    input.indices.allSatisfy { axis in
      kernelSize[axis] > 0 && strides[axis] > 0 && kernelSize[axis] <= input[axis]
        && (input[axis] - kernelSize[axis]) / strides[axis] + 1 == output[axis]
    }
  }

  private var taps: Int { kernelSize.reduce(1, *) }

  var elementType: ElementType { .float32 }
  var count: Int { output.reduce(1, *) * taps * inputChannels * outputChannels }
  var isSequential: Bool { source.isSequential }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    guard let last = range.last else { return }
    // The distance between the weights of two output channels.
    let step = isChannelsFirst ? output.reduce(1, *) : 1
    let span = UnsafeMutableBufferPointer<Float>.allocate(
      capacity: (outputChannels - 1) * step + 1)
    defer { span.deallocate() }
    for row in range.lowerBound / outputChannels...last / outputChannels {
      let first = place(ofRow: row)
      try source.read(first..<first + span.count, into: span)
      let own = row * outputChannels..<(row + 1) * outputChannels
      for index in own.clamped(to: range) {
        values[index - range.lowerBound] = span[(index - own.lowerBound) * step]
      }
    }
  }

  /// Returns the index of the first output channel's weight for a kernel row, which is a position, a tap and a
  /// channel.
  private func place(ofRow row: Int) -> Int {
    var (rest, channel) = row.quotientAndRemainder(dividingBy: inputChannels)
    var (from, to, fromStep, toStep) = (0, 0, 1, 1)
    var tap = rest % taps
    rest /= taps
    for axis in input.indices.reversed() {
      let window = rest % output[axis]
      from += (window * strides[axis] + tap % kernelSize[axis]) * fromStep
      to += window * toStep
      (rest, tap) = (rest / output[axis], tap / kernelSize[axis])
      (fromStep, toStep) = (fromStep * input[axis], toStep * output[axis])
    }
    // After the loop, the strides are the numbers of positions in the images.
    let outputCount = toStep * outputChannels
    guard isChannelsFirst else {
      return (from * inputChannels + channel) * outputCount + to * outputChannels
    }
    channel = channel * fromStep + from
    return channel * outputCount + to
  }
}
