import ModelIR
import Operators

// Concatenations of channels: several kernels write one image, each from a multiple of four
// channels.

extension MPSCNNPlan {
  /// An image that several steps write.
  struct JoinedImage {
    /// The layer with this output.
    let layer: String
    let shape: ImageShape
  }

  mutating func concatenation(
    _ inputs: [Value], _ operation: Concatenate, _ layer: Layer
  ) throws(NetconvError) -> Value {
    let rank = layer.outputShape.rank
    let shapes = inputs.map(\.shape)
    guard operation.axis == -1 || operation.axis == rank - 1,
      rank == 3 || shapes.allSatisfy(\.isPixel)
    else { throw .concatenationNotOfChannels }
    let shape = ImageShape(
      height: shapes[0].height, width: shapes[0].width,
      channels: shapes.map(\.channels).reduce(0, +))
    guard shape.channels <= ImageShape.mostChannels else { throw .tooManyChannels(shape) }
    joined.append(JoinedImage(layer: layer.name, shape: shape))
    var channel = 0
    for group in Self.groups(shapes.map(\.channels)) {
      let destination = MPSCNNStep.Destination(image: joined.count - 1, channel: channel)
      let parts = Array(inputs[group])
      if parts.count == 1 {
        copy(parts[0], to: destination, layer)
      } else {
        sum(parts, to: destination, layer)
      }
      channel += parts.map(\.shape.channels).reduce(0, +)
    }
    return Value(source: .joined(joined.count - 1), shape: shape)
  }

  /// Groups of images to be written together: each group starts at a multiple of four channels.
  static func groups(_ channels: [Int]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    var (first, offset) = (0, 0)
    for (index, count) in channels.enumerated() {
      offset += count
      guard offset % 4 == 0 || index == channels.count - 1 else { continue }
      groups.append(first..<index + 1)
      first = index + 1
    }
    return groups
  }

  /// Adds a step that copies an image.
  private mutating func copy(
    _ part: Value, to destination: MPSCNNStep.Destination, _ layer: Layer
  ) {
    _ = add(
      MPSCNNStep(
        layer: layer.name, suffix: "Copy", kernel: CopyKernel(), reads: [part.source],
        shape: part.shape, destination: destination))
  }

  /// Adds the sum of images padded with zero channels, which is an exact concatenation.
  private mutating func sum(
    _ parts: [Value], to destination: MPSCNNStep.Destination, _ layer: Layer
  ) {
    let channels = parts.map(\.shape.channels)
    let shape = ImageShape(
      height: parts[0].shape.height, width: parts[0].shape.width, channels: channels.reduce(0, +))
    var before = 0
    let padded = zip(parts, channels).map { part, count in
      defer { before += count }
      return add(
        MPSCNNStep(
          layer: layer.name, part: .stored, suffix: "Pad",
          kernel: PadKernel(before: before, after: shape.channels - before - count),
          reads: [part.source], shape: shape))
    }
    var sum = padded[0]
    for (index, part) in padded.enumerated().dropFirst() {
      sum = add(
        MPSCNNStep(
          layer: layer.name, part: .stored, suffix: "Add",
          kernel: ArithmeticKernel(operation: .add), reads: [sum.source, part.source],
          shape: shape, destination: index == padded.count - 1 ? destination : nil))
    }
  }
}

// MARK: - In-place concatenation

extension MPSCNNPlan {
  /// Removes copies: a kernel whose output only the concatenation reads writes into it directly.
  mutating func writeInPlace() {
    var copies: Set<Int> = []
    for (index, step) in steps.enumerated() {
      guard step.kernel is CopyKernel, let destination = step.destination,
        case .step(let writer) = step.reads[0], steps[writer].result != nil,
        // A custom layer writes its image from the first channel.
        steps[writer].kernel.customFunction == nil,
        !outputs.contains(step.reads[0]), readers(of: step.reads[0]) == 1
      else { continue }
      steps[writer].destination = destination
      copies.insert(index)
    }
    remove(copies)
  }

  /// Removes the steps at these indices, which nothing reads.
  private mutating func remove(_ removed: Set<Int>) {
    let kept = steps.indices.filter { !removed.contains($0) }
    let places = Dictionary(uniqueKeysWithValues: zip(kept, kept.indices))
    func moved(_ source: MPSCNNStep.Source) -> MPSCNNStep.Source {
      if case .step(let step) = source { .step(places[step] ?? step) } else { source }
    }
    steps = kept.map { steps[$0] }
    for index in steps.indices { steps[index].reads = steps[index].reads.map(moved) }
    outputs = outputs.map(moved)
  }

  /// The index of the first step that writes an image; `nil` for an input.
  func maker(of source: MPSCNNStep.Source) -> Int? {
    switch source {
    case .input: nil
    case .step(let step): step
    case .joined(let image): steps.firstIndex { $0.destination?.image == image }
    }
  }

  /// The image that a step creates.
  func image(madeBy step: Int) -> MPSCNNStep.Source {
    guard let image = steps[step].destination?.image, maker(of: .joined(image)) == step else {
      return .step(step)
    }
    return .joined(image)
  }

  /// The images that a step needs: its inputs, and a shared image that an earlier step created.
  func images(neededBy step: Int) -> [MPSCNNStep.Source] {
    let reads = steps[step].reads
    guard let image = steps[step].destination?.image, maker(of: .joined(image)) != step else {
      return reads
    }
    return reads + [.joined(image)]
  }

  /// The concatenation that the step completes, if any.
  func image(completedBy step: Int) -> JoinedImage? {
    guard let image = steps[step].destination?.image,
      steps.lastIndex(where: { $0.destination?.image == image }) == step
    else { return nil }
    return joined[image]
  }
}

extension NetconvError {
  fileprivate static var concatenationNotOfChannels: NetconvError {
    NetconvError(.badData, "a concatenation of other axes than an image's channels")
  }
}
