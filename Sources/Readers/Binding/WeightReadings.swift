import ModelIR
import Transforms

/// The possible interpretations of tensors without a graph, by a convention's names and the sizes of neighbouring
/// tensors.
///
/// A rank-4 kernel may be that of a convolution or of a transposed convolution, whose axes have a different order.
/// The kernel's name may resolve this, or the length of its bias or of the following normalisation. Otherwise the
/// tensor has several readings.
package struct WeightReadings: Sendable {
  /// The interpretation of a tensor.
  package enum Reading: Sendable {
    /// The possible parameters, which name the tensor's axes.
    case parameter([Tensor])
    /// A tensor of the network itself: no layer of the framework has it, and other frameworks use it unchanged.
    case own
    /// A kernel that does not fit the convention: its sizes contradict those of neighbouring tensors.
    case contradicted
    /// Unknown.
    case unknown
  }

  /// The layout of a tensor for a target.
  package enum Placement: Sendable {
    /// The stored layout.
    case kept
    /// The target's layout for this tensor, which names its axes.
    case moved(Tensor)
    /// Unknown.
    case undecided(why: String)
  }

  /// True if the convention was given explicitly.
  package let isNamed: Bool
  /// The possible conventions of the weights.
  private let conventions: [WeightConvention]
  private let readings: [[TensorKey: Reading]]
  /// True if kernels are square in the middle axes and not in the last two: `OHWI` rather than `OIHW`.
  private let looksLikeChannelsLast: Bool
  /// The output channels of kernels over images and sequences.
  private let imageChannels: Set<Int>
  /// The number of kernels by their count of output channels.
  private let outputCounts: [Int: Int]

  /// Interprets the tensors of a source.
  ///
  /// - Parameter name: The convention; `nil` to infer it from the source.
  /// - Throws: `usage` if the convention does not exist.
  package init(_ source: ReadSource, convention name: String?) throws(NetconvError) {
    let weights = source.network.weights
    isNamed = name != nil
    let tensors = NamedTensor.all(in: weights)
    // PyTorch modules can also have parameters named gamma or kernel.
    let isOfModules =
      name == nil && source.usualTarget == nil
      && weights.tensors.contains { $0.stored.name?.hasSuffix(".weight") ?? false }
    conventions =
      isOfModules ? [.torch, .mlx] : try source.conventions(of: tensors, name)
    let neighbours = WeightNeighbours(weights)
    readings = conventions.map { convention in
      LayerReadings.all(of: weights, convention, neighbours)
    }
    var imageChannels: Set<Int> = []
    var outputCounts: [Int: Int] = [:]
    for case .parameter(let tensors) in readings.flatMap(\.values) {
      let kernels = tensors.filter { $0.spec.layout.axes.contains(.outputChannels) }
        .filter { $0.spec.kind != .vector }
      for count in Set(kernels.map(\.spec.outputCount)) { outputCounts[count, default: 0] += 1 }
      imageChannels.formUnion(
        kernels.filter { $0.spec.layout.axes.contains(.width) }.map(\.spec.outputCount))
    }
    let kernels = weights.tensors.map(\.storedShape).filter {
      $0.count == 4 && Set($0.dropFirst()).count > 1
    }
    looksLikeChannelsLast =
      !kernels.isEmpty && kernels.allSatisfy { $0[1] == $0[2] && $0[2] != $0[3] }
    self.imageChannels = imageChannels
    self.outputCounts = outputCounts
  }

  /// All readings of a tensor; empty if it is unknown.
  package func tensors(_ key: TensorKey) -> [Tensor] {
    var found: [Tensor] = []
    for readings in readings {
      guard case .parameter(let tensors) = readings[key] else { return [] }
      found += tensors
    }
    return found
  }

  /// Returns the vector as a parameter of a recurrent layer with ordered gates; `nil` if it is none or ambiguous.
  package func recurrent(_ tensor: Tensor) -> Tensor? {
    guard tensor.spec.kind == .vector, tensor.spec.cell == nil else { return nil }
    let candidates = tensors(tensor.key)
    guard let first = candidates.first,
      candidates.allSatisfy({ $0.spec.cell != nil && $0.storedLayout == first.storedLayout })
    else { return nil }
    return first
  }

  /// Returns true if the sizes of neighbouring tensors rule out the kernel that a name suggests.
  ///
  /// - Parameter target: The target whose convention applies where several share the names; `nil` for all
  ///   conventions.
  package func isContradicted(_ key: TensorKey, for target: Target?) -> Bool {
    (target.map(readings(for:)) ?? readings).contains {
      if case .contradicted = $0[key] { true } else { false }
    }
  }

  /// Returns true if a tensor belongs to no framework layer, and `target` uses it unchanged.
  package func isOwn(_ key: TensorKey, for target: Target) -> Bool {
    target.hasDottedNames
      && readings.allSatisfy { if case .own = $0[key] { true } else { false } }
  }

  /// Returns the possible channel counts of images that are flattened before a fully-connected kernel.
  ///
  /// Empty if source and `target` flatten in the same order, or another kernel has as many outputs as this kernel has
  /// inputs.
  package func channels(before tensor: Tensor, for target: Target) -> [Int] {
    let inputs = tensor.spec.sizes[.inputChannels] ?? 1
    let isOther = supposed(for: target).contains {
      $0.target.flattensChannelsFirst != target.flattensChannelsFirst
    }
    let own = tensor.spec.outputCount == inputs ? 1 : 0
    guard tensor.spec.kind == .fullyConnected, isOther, outputCounts[inputs, default: 0] <= own
    else { return [] }
    return imageChannels.filter { $0 > 1 && inputs > $0 && inputs.isMultiple(of: $0) }.sorted()
  }

  /// Returns readings of a fully-connected kernel after a flatten of images, one for each possible channel count.
  package func flattened(_ tensor: Tensor, for target: Target) -> [Tensor] {
    let inputs = tensor.spec.sizes[.inputChannels] ?? 1
    return channels(before: tensor, for: target).flatMap { channels in
      supposed(for: target).filter {
        $0.target.flattensChannelsFirst != target.flattensChannelsFirst
      }.compactMap { convention -> Tensor? in
        let axes: [Axis] =
          convention.target.flattensChannelsFirst
          ? [.inputChannels, .width] : [.width, .inputChannels]
        var sizes = tensor.spec.sizes
        sizes[.inputChannels] = channels
        sizes[.width] = inputs / channels
        let spec = ParameterSpec(
          tensor.spec.role, .fullyConnected,
          tensor.spec.layout.replacing(.inputChannels, with: [.width, .inputChannels]), sizes,
          featureAxis: .inputChannels)
        var stored = tensor.stored
        stored.layout = tensor.storedLayout.replacing(.inputChannels, with: axes)
        return try? Tensor(layer: tensor.layer, spec: spec, stored: stored)
      }
    }
  }

  /// Returns the layout of a tensor for `target`.
  ///
  /// Without a named convention, nothing is rearranged.
  package func placement(of tensor: Tensor, for target: Target) -> Placement {
    var first: Tensor?
    var isKept = true
    for (convention, readings) in zip(supposed(for: target), readings(for: target)) {
      guard convention.target != target else {
        // A stated convention may be wrong, and an inferred one is a guess.
        if case .contradicted = readings[tensor.key] {
          return .undecided(
            why:
              "as one of \(target.name) it would not have the channels of its bias or normalisation"
          )
        }
        continue
      }
      if let word = convention.target.names.roles[tensor.spec.role], target.hasDottedNames,
        [.inputKernel, .recurrent, .inputBias].contains(tensor.spec.role),
        word != target.names.roles[tensor.spec.role]
      {
        return .undecided(why: "\(target.name) has other names for the parameters of such a layer")
      }
      switch readings[tensor.key] ?? .unknown {
      case .unknown, .contradicted: return .undecided(why: "its axes are unknown")
      case .own:
        guard target.hasDottedNames else {
          return .undecided(why: "its axes are unknown")
        }
      case .parameter(let candidates):
        for candidate in candidates {
          if target.takesSum(with: candidate.spec) {
            return .undecided(
              why: "\(target.name) has only one bias; add this one to it")
          }
          guard let layout = target.layout(for: candidate),
            let moved = try? candidate.rearranged(
              to: layout, reversed: target.reversedAxes(of: candidate.spec))
          else {
            return .undecided(
              why: "as \(candidate.spec.kind.words) it has no layout for the target")
          }
          let isSame = moved.shape == tensor.storedShape && moved.rearrangement.copy.isIdentity
          isKept = isKept && isSame
          if let first {
            guard moved.shape == first.shape, moved.rearrangement.copy == first.rearrangement.copy
            else { return .undecided(why: Self.words(candidates)) }
          } else {
            first = moved
          }
        }
      }
    }
    guard !isKept, let first else { return .kept }
    guard isNamed else {
      return .undecided(why: "\(first.storedLayout) has to become \(first.layout)")
    }
    return .moved(tensors(tensor.key).first ?? first)
  }

  /// Returns true if a kernel is assumed to be PyTorch's although other conventions share its name.
  package func isGuessed(_ tensor: Tensor, for target: Target) -> Bool {
    guard !isNamed, places(for: target).count < conventions.count else { return false }
    let layouts = conventions.indices.map { index -> Set<[Axis]>? in
      guard case .parameter(let tensors) = readings[index][tensor.key] else { return nil }
      return Set(tensors.map { $0.storedLayout.axes })
    }
    return tensor.storedShape.count > 2 && layouts.allSatisfy { $0 != nil }
      && Set(layouts).count > 1
  }

  /// Returns the conventions that apply to a target.
  ///
  /// For names that PyTorch shares with other frameworks, PyTorch's convention is assumed unless the sizes contradict
  /// it.
  private func supposed(for target: Target) -> [WeightConvention] {
    places(for: target).map { conventions[$0] }
  }

  private func readings(for target: Target) -> [[TensorKey: Reading]] {
    places(for: target).map { readings[$0] }
  }

  private func places(for target: Target) -> [Int] {
    guard !isNamed, target == .torch, conventions.count > 1, !looksLikeChannelsLast,
      let place = conventions.firstIndex(where: { $0.target == .torch })
    else { return Array(conventions.indices) }
    return [place]
  }

  private static func words(_ tensors: [Tensor]) -> String {
    var kinds: [String] = []
    for tensor in tensors where !kinds.contains(tensor.spec.kind.words) {
      kinds.append(tensor.spec.kind.words)
    }
    return kinds.count == 1 ? "its layout is ambiguous" : kinds.joined(separator: " or ")
  }
}

extension ParameterKind {
  /// The name of the kind in messages, in the singular.
  fileprivate var words: String {
    switch self {
    case .convolution: "a convolution"
    case .depthwise: "a depthwise convolution"
    case .transposedConvolution: "a transposed convolution"
    case .fullyConnected: "a fully-connected kernel"
    case .recurrent: "a recurrent kernel"
    case .recurrentConvolution: "a recurrent convolution"
    case .locallyConnected: "a locally connected kernel"
    case .embedding: "an embedding"
    case .vector: "a vector"
    case .unknown: "a tensor"
    }
  }
}
