import ModelIR
import Transforms

/// What the tensors of weights without a graph may be, by a convention's names and the sizes of what lies beside them.
///
/// A kernel of four axes may be that of a convolution or of a transposed one, which have their axes in another order. Its
/// name may tell, or the length of its bias, or of the normalisation behind it. What nothing tells has several readings.
package struct WeightReadings: Sendable {
  /// What is known of a tensor.
  package enum Reading: Sendable {
    /// It may be each of these, which name its axes.
    case parameter([Tensor])
    /// It is a network's own: no layer of the framework has it, and other frameworks take it as it is.
    case own
    /// It is a kernel, and cannot be one of the convention: its sizes are not those of what lies beside it.
    case contradicted
    /// Nothing.
    case unknown
  }

  /// How a tensor has to lie for a target.
  package enum Placement: Sendable {
    /// As it does.
    case kept
    /// As the target takes this tensor, which names its axes.
    case moved(Tensor)
    /// Nobody knows.
    case undecided(why: String)
  }

  /// Whether somebody has said which convention it is.
  package let isNamed: Bool
  /// Those that the weights may have.
  private let conventions: [WeightConvention]
  private let readings: [[TensorKey: Reading]]
  /// Whether kernels are square in the axes in the middle, and not in the last: `OHWI` in the place of `OIHW`.
  private let looksLikeChannelsLast: Bool
  /// The output channels of kernels over images and sequences.
  private let imageChannels: Set<Int>
  /// How many kernels give so many channels.
  private let outputCounts: [Int: Int]

  /// The readings of the tensors of a source.
  ///
  /// - Parameter name: the convention; `nil` where the source tells.
  /// - Throws: `usage` if there is no such convention.
  package init(_ source: ReadSource, convention name: String?) throws(NetconvError) {
    let weights = source.network.weights
    isNamed = name != nil
    let tensors = NamedTensor.all(in: weights)
    // Modules have parameters called gamma or kernel too.
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

  /// All that a tensor may be; none if nobody knows.
  package func tensors(_ key: TensorKey) -> [Tensor] {
    var found: [Tensor] = []
    for readings in readings {
      guard case .parameter(let tensors) = readings[key] else { return [] }
      found += tensors
    }
    return found
  }

  /// A vector as one of a recurrent layer, whose gates have an order; `nil` if it is none, or nobody knows of which.
  package func recurrent(_ tensor: Tensor) -> Tensor? {
    guard tensor.spec.kind == .vector, tensor.spec.cell == nil else { return nil }
    let candidates = tensors(tensor.key)
    guard let first = candidates.first,
      candidates.allSatisfy({ $0.spec.cell != nil && $0.storedLayout == first.storedLayout })
    else { return nil }
    return first
  }

  /// Whether a kernel cannot be what its name says, by the sizes of what lies beside it.
  ///
  /// - Parameter target: the target whose convention counts where several have such names; `nil` for none.
  package func isContradicted(_ key: TensorKey, for target: Target?) -> Bool {
    (target.map(readings(for:)) ?? readings).contains {
      if case .contradicted = $0[key] { true } else { false }
    }
  }

  /// Whether it is a network's own tensor, which `target` takes as it is.
  package func isOwn(_ key: TensorKey, for target: Target) -> Bool {
    target.hasDottedNames
      && readings.allSatisfy { if case .own = $0[key] { true } else { false } }
  }

  /// Where the source has its flattens in another order than `target`, the channels of images behind which a
  /// fully-connected kernel may stand; none if another kernel gives just as many as it reads.
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

  /// A fully-connected kernel as one behind a flatten of images: a reading for each number of channels that they may have.
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

  /// How a tensor has to lie for `target`.
  ///
  /// Where no convention is named, nothing is moved.
  package func placement(of tensor: Tensor, for target: Target) -> Placement {
    var first: Tensor?
    var isKept = true
    for (convention, readings) in zip(supposed(for: target), readings(for: target)) {
      guard convention.target != target else {
        // Whoever says so may be wrong, and to say nothing is a guess.
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

  /// Whether a kernel is taken for PyTorch's though others have such names, and nobody says whose it is.
  package func isGuessed(_ tensor: Tensor, for target: Target) -> Bool {
    guard !isNamed, places(for: target).count < conventions.count else { return false }
    let layouts = conventions.indices.map { index -> Set<[Axis]>? in
      guard case .parameter(let tensors) = readings[index][tensor.key] else { return nil }
      return Set(tensors.map { $0.storedLayout.axes })
    }
    return tensor.storedShape.count > 2 && layouts.allSatisfy { $0 != nil }
      && Set(layouts).count > 1
  }

  /// The conventions that count for a target: of names that PyTorch and others have, PyTorch's, unless sizes speak against
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
  /// In messages, of one.
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
