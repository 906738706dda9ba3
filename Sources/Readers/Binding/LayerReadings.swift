import ModelIR
import Transforms

/// Normalisations and kernels of weights without a graph, used to interpret the tensors of other layers.
struct WeightNeighbours {
  /// The lengths of normalisations by layer.
  private var normalisations: [String: Int] = [:]
  /// The number of kernels by the size of their first or last axis, the possible axes of output channels.
  private var outputs: [Int: Int] = [:]

  init(_ weights: Weights) {
    for layer in weights.layers {
      for tensor in layer.parameters {
        let shape = tensor.storedShape
        if shape.count > 1 {
          for size in Set([shape[0], shape[shape.count - 1]]) { outputs[size, default: 0] += 1 }
        }
      }
      if let gamma = layer.parameters.first(where: { $0.spec.role == .gamma }),
        gamma.storedShape.count == 1
      {
        normalisations[layer.name] = gamma.count
      }
    }
  }

  /// Returns the length of the normalisation that follows a layer, by name: `bn1` after `conv1`, `down.1` after
  /// `down.0`.
  func normalisation(behind layer: String) -> Int? {
    let separator: Character = layer.contains("/") ? "/" : "."
    var parts = layer.split(separator: separator, omittingEmptySubsequences: false)
    guard let last = parts.popLast() else { return nil }
    let scope = parts.map { $0 + String(separator) }.joined()
    if let index = Int(last) { return normalisations["\(scope)\(index + 1)"] }
    let number = last.reversed().prefix(while: \.isNumber).reversed()
    guard last.dropLast(number.count).lowercased().hasSuffix("conv") else { return nil }
    return ["bn", "norm", "gn", "batchnorm", "batch_norm"].lazy
      .compactMap { normalisations["\(scope)\($0)\(String(number))"] }.first
  }

  /// Returns true if another kernel may have this number of output channels.
  func others(give channels: Int) -> Bool { outputs[channels] ?? 0 > 1 }
}

/// The possible interpretations of one layer's tensors in one convention.
struct LayerReadings {
  private let layer: LayerWeights
  private let convention: WeightConvention
  private let neighbours: WeightNeighbours

  static func all(
    of weights: Weights, _ convention: WeightConvention, _ neighbours: WeightNeighbours
  ) -> [TensorKey: WeightReadings.Reading] {
    var readings: [TensorKey: WeightReadings.Reading] = [:]
    for layer in weights.layers {
      let own = LayerReadings(layer: layer, convention: convention, neighbours: neighbours)
      for tensor in layer.parameters { readings[tensor.key] = own.reading(of: tensor) }
    }
    return readings
  }

  private func reading(of tensor: Tensor) -> WeightReadings.Reading {
    guard tensor.spec.kind == .unknown || tensor.spec.kind == .vector, tensor.spec.cell == nil
    else { return .parameter([tensor]) }
    if let cell { return parameters(recurrent(tensor, cell)) }
    guard tensor.storedShape.count > 1 else { return .parameter([tensor]) }
    let kernels: Set<ParameterRole> = [
      .kernel, .depthwise, .pointwise, ParameterRole(rawValue: "embeddings"),
    ]
    guard kernels.contains(tensor.spec.role) else { return own(tensor) }
    switch tensor.storedShape.count {
    case 2: return parameters(matrices(tensor), else: .contradicted)
    case 3, 4: return parameters(self.kernels(tensor), else: .contradicted)
    default: return .unknown
    }
  }

  private func parameters(
    _ tensors: [Tensor], else other: WeightReadings.Reading = .unknown
  ) -> WeightReadings.Reading {
    tensors.isEmpty ? other : .parameter(tensors)
  }

  /// Returns the reading of a tensor that is part of no framework layer.
  ///
  /// Matrices and per-step tensors have the same layout in all frameworks.
  private func own(_ tensor: Tensor) -> WeightReadings.Reading {
    let shape = tensor.storedShape
    let isRecurrent = ["weight_ih_l", "weight_hh_l"].contains {
      tensor.spec.role.rawValue.hasPrefix($0)
    }
    guard convention.target.hasDottedNames, !isRecurrent else { return .unknown }
    return shape.count == 2 || shape.count == 3 && shape[0] == 1 && shape[2] > 1 ? .own : .unknown
  }

  // MARK: - Kernels

  private func kernels(_ tensor: Tensor) -> [Tensor] {
    let isPlane = tensor.storedShape.count == 4
    let space: [Axis] = isPlane ? [.height, .width] : [.width]
    func candidate(_ kind: ParameterKind, _ axes: Axis...) -> Tensor? {
      reading(tensor, kind, Layout(axes: space + axes))
    }
    switch tensor.spec.role {
    case .depthwise: return [candidate(.depthwise, .inputChannels, .multiplier)].compactMap(\.self)
    case .pointwise:
      return [candidate(.convolution, .inputChannels, .outputChannels)].compactMap(\.self)
    default: break
    }
    let convolution = candidate(.convolution, .inputChannels, .outputChannels)
    let transposed = candidate(.transposedConvolution, .outputChannels, .inputChannels)
    let depthwise = candidate(.depthwise, .inputChannels, .multiplier)
    let hint = nameHint
    if hint == .depthwise, let depthwise { return [depthwise] }
    var candidates = [convolution, transposed].compactMap(\.self)
    if let depthwise, mayBeDepthwise(depthwise) { candidates.append(depthwise) }
    if let count = bias?.count ?? neighbours.normalisation(behind: layer.name) {
      candidates = candidates.filter { $0.spec.outputCount == count }
    }
    guard let hint, hint != .depthwise else { return candidates }
    let named = candidates.filter {
      $0.spec.kind == hint || hint == .convolution && $0.spec.kind == .depthwise
    }
    // The sizes take precedence over the name.
    return named.isEmpty ? candidates : named
  }

  /// Returns true if a kernel with one input channel may be depthwise: another layer must produce its channels.
  private func mayBeDepthwise(_ tensor: Tensor) -> Bool {
    let channels = tensor.spec.sizes[.inputChannels] ?? 1
    return channels > 1 && (channels <= 4 || neighbours.others(give: channels))
  }

  private func matrices(_ tensor: Tensor) -> [Tensor] {
    let linear = reading(tensor, .fullyConnected, .io, featureAxis: .inputChannels)
    let embedding = reading(tensor, .embedding, .io)
    if isEmbedding { return [embedding].compactMap(\.self) }
    if let bias {
      return [linear].compactMap(\.self).filter { $0.spec.outputCount == bias.count }
    }
    let isLinear = Self.linearWords.contains(where: lastWord.contains)
    return (isLinear ? [linear] : [linear, embedding]).compactMap(\.self)
  }

  private static let linearWords = [
    "fc", "lin", "dense", "proj", "head", "classif", "logits", "query", "key", "value", "qkv",
    "mlp",
    "ffn", "gate",
  ]

  private var bias: Tensor? {
    layer.parameters.first { $0.spec.role == .bias && $0.storedShape.count == 1 }
  }

  // MARK: - Names

  /// The last component of the layer's name that is not a number, in lower case.
  private var lastWord: String {
    let parts = layer.name.lowercased().split { ".:/".contains($0) }
    return String(parts.last { !$0.allSatisfy(\.isNumber) } ?? "")
  }

  private var isEmbedding: Bool {
    lastWord.contains("embed") || ["wte", "wpe", "emb"].contains(lastWord)
      || layer.parameters.contains { $0.spec.role.rawValue == "embeddings" }
  }

  /// The kind of kernel that the layer's name suggests.
  private var nameHint: ParameterKind? {
    let word = lastWord
    if word.contains("depthwise") || word.hasPrefix("dw") || word.hasSuffix("dw") {
      return .depthwise
    }
    if word.contains("transpose") || word.contains("deconv")
      || word.wholeMatch(of: #/(?:conv_?t|t_?conv)_?\d*/#) != nil
    {
      return .transposedConvolution
    }
    return word.contains("conv") && !word.contains("up") ? .convolution : nil
  }

  // MARK: - Recurrent layers

  /// The kind of the layer if it is recurrent, by the number of gates in its kernels.
  private var cell: RecurrentCellKind? {
    guard let recurrent = layer.parameters.first(where: { $0.spec.role == .recurrent }),
      recurrent.storedShape.count == 2
    else { return nil }
    let (least, most) = (recurrent.storedShape.min() ?? 0, recurrent.storedShape.max() ?? 0)
    guard least > 0, most.isMultiple(of: least) else { return nil }
    switch most / least {
    case 1: return .simple
    case 3:
      // Keras stores its two biases as one array.
      let isBefore =
        convention.target == .tensorflow
        && !layer.parameters.contains { $0.spec.role == .bias && $0.storedShape.count == 2 }
      return isBefore ? .gruWithResetBefore : .gru
    case 4: return .lstm
    default: return nil
    }
  }

  private func recurrent(_ tensor: Tensor, _ cell: RecurrentCellKind) -> [Tensor] {
    let columns: [Axis] = cell.gates == nil ? [.units] : [.gates, .units]
    let isKernel = tensor.storedShape.count == 2
    let dimensions = (isKernel ? [[.inputChannels]] : []) + [columns]
    guard tensor.storedShape.count <= 2,
      let layout = try? Layout(dimensions.map { Layout.Dimension($0) }, gates: cell.gates),
      [.kernel, .inputKernel, .recurrent].contains(tensor.spec.role) == isKernel
    else { return [] }
    return [reading(tensor, isKernel ? .recurrent : .vector, layout, cell: cell)]
      .compactMap(\.self)
  }

  // MARK: - Tensors

  /// Returns the tensor as a parameter of a kind with the operator's `layout`; `nil` if the shape does not fit.
  private func reading(
    _ tensor: Tensor, _ kind: ParameterKind, _ layout: Layout, featureAxis: Axis? = nil,
    cell: RecurrentCellKind? = nil
  ) -> Tensor? {
    let role = tensor.spec.role
    let open = ParameterSpec(role, kind, layout, [:], featureAxis: featureAxis, cell: cell)
    let shape = tensor.storedShape
    guard let stored = convention.layout(for: open), stored.dimensions.count == shape.count else {
      return nil
    }
    var sizes: [Axis: Int] = [:]
    for (dimension, size) in zip(stored.dimensions, shape) {
      switch dimension.axes {
      case []: guard size == 1 else { return nil }
      case [.gates, .units]:
        let gates = cell?.gateCount ?? 1
        guard size.isMultiple(of: gates) else { return nil }
        sizes[.gates] = gates
        sizes[.units] = size / gates
      case let axes:
        sizes[axes[0]] = size
        for axis in axes.dropFirst() { sizes[axis] = 1 }
      }
    }
    for axis in layout.axes where sizes[axis] == nil { sizes[axis] = 1 }
    let spec = ParameterSpec(role, kind, layout, sizes, featureAxis: featureAxis, cell: cell)
    var values = tensor.stored
    values.layout = stored
    values.reversed = convention.target.reversedAxes(of: spec)
    values.shape = shape
    return try? Tensor(layer: tensor.layer, spec: spec, stored: values)
  }
}

extension ParameterSpec {
  /// The number of output channels of the kernel.
  var outputCount: Int {
    if kind == .depthwise {
      return (sizes[.inputChannels] ?? 1) * (sizes[.multiplier] ?? 1)
    }
    return sizes[.outputChannels] ?? 1
  }
}
