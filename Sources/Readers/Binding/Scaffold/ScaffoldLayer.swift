import ModelIR
import Operators

/// A layer that is recognised by the names and shapes of the tensors in a scope.
struct ScaffoldLayer {
  /// A question for the user, or a guess for the user to check.
  struct Remark {
    /// The key within the layer: `attributes.strides`.
    let place: String
    let text: String
  }

  /// The operator's name in documents.
  let operation: String
  var attributes: [(String, OrderedJSON)] = []
  /// The tensors by their roles.
  var roles: [(role: ParameterRole, tensor: NamedTensor, layout: Layout?)] = []
  var questions: [Remark] = []
  var guesses: [Remark] = []
  /// The input and output channels; `nil` if the layer accepts any number, or does not change it.
  var inputChannels: Int?
  var outputChannels: Int?
  /// The number of spatial axes; `nil` if the layer accepts any number.
  var spatialAxes: Int?
  /// True if a pooling may follow.
  var isConvolution = false
  /// True if the input is a vector.
  var isDense = false
  /// True if it normalises the output of a convolution, so that the activation follows it.
  var isNormalization = false
  /// True if the user must state the layer's input.
  var isQuestion = false

  init(_ operation: String) { self.operation = operation }

  mutating func ask(_ key: String, _ text: String) {
    attributes.append((key, .question))
    questions.append(Remark(place: "attributes.\(key)", text: text))
  }

  mutating func guess(_ key: String, _ value: OrderedJSON, _ text: String) {
    attributes.append((key, value))
    guesses.append(Remark(place: "attributes.\(key)", text: text))
  }

  /// Adds a tensor, if present, in the order of the convention.
  mutating func add(_ role: ParameterRole, _ tensor: NamedTensor?) {
    if let tensor { roles.append((role, tensor, nil)) }
  }

  /// Adds the question for the activation.
  mutating func askActivation() {
    ask("activation", "what follows the sum: linear, relu, softmax, …")
  }
}

extension ScaffoldLayer {
  /// Properties of the neighbouring layers.
  struct Neighbors {
    /// The output channels of the preceding layer; `nil` if unknown.
    var channels: Int?
    /// The output channels of earlier layers.
    var earlierChannels: Set<Int> = []
    /// True if a normalisation follows, and the activation after it.
    var isNormalized = false
  }

  /// Returns the layer that has the tensors of a scope; `nil` if no common layer has them.
  ///
  /// - Parameters:
  ///   - members: The tensors by their names in the scope.
  ///   - neighbors: Properties of the neighbouring layers.
  static func recognized(
    _ scope: String, _ members: [String: NamedTensor], _ convention: WeightConvention,
    beside neighbors: Neighbors
  ) -> ScaffoldLayer? {
    guard members.values.allSatisfy({ !$0.shape.contains(0) }) else { return nil }
    let names = convention.target.names.roles
    if let named = Numbered.named(members, scope, names) {
      var layer = recognized(scope, named, convention, beside: neighbors)
      layer?.guesses.insert(
        Remark(
          place: "parameters", text: "by their order and shapes: the source only numbers them"),
        at: 0)
      return layer
    }
    func member(_ roles: ParameterRole...) -> NamedTensor? {
      roles.lazy.compactMap { role in
        members[names[role] ?? role.rawValue] ?? members[role.rawValue]
          ?? convention.otherWords[role].flatMap { members[$0] }
      }.first
    }
    if let kernel = member(.inputKernel, .kernel), let recurrent = member(.recurrent),
      members[names[.recurrent] ?? "recurrent"] != nil
    {
      return .recurrent(kernel, recurrent, member)
    }
    if let mean = member(.mean), let variance = member(.variance), mean.shape.count == 1 {
      return .batchNormalization(mean, variance, member, convention)
    }
    guard let kernel = member(.kernel, .gamma) else { return nil }
    let bias = member(.bias)
    switch kernel.shape.count {
    case 3, 4: return .convolution(kernel, bias, convention, neighbors)
    case 2 where scope.lowercased().contains("embed"): return .embedding(kernel)
    case 2: return .dense(kernel, bias, convention)
    case 1:
      // A vector alone is ambiguous.
      return member(.beta, .bias).map { .layerNormalization(kernel, $0, convention) }
    default: return nil
    }
  }

  private static func convolution(
    _ kernel: NamedTensor, _ bias: NamedTensor?, _ convention: WeightConvention,
    _ neighbors: Neighbors
  ) -> ScaffoldLayer? {
    let axes = kernel.shape.count - 2
    let spatial = [Axis.height, .width].suffix(axes)
    guard
      let layout = convention.layout(
        for: ParameterSpec(.kernel, .convolution, axes == 1 ? Layout("WIO") ?? .hwio : .hwio, [:]))
    else { return nil }
    var sizes: [Axis: Int] = [:]
    for (dimension, size) in zip(layout.dimensions, kernel.shape) {
      for axis in dimension.axes { sizes[axis] = size }
    }
    let (inputs, outputs) = (sizes[.inputChannels] ?? 1, sizes[.outputChannels] ?? 1)
    let window = spatial.map { sizes[$0] ?? 1 }
    // If an earlier layer has as many channels as the kernel reads, a branch is likelier than groups.
    var groups: Int?
    if let channels = neighbors.channels, inputs > 0, channels % inputs == 0,
      !neighbors.earlierChannels.contains(inputs) || inputs == 1
    {
      groups = channels / inputs
    }
    let isDepthwise =
      inputs == 1 && groups ?? 1 > 1 && outputs % (groups ?? 1) == 0 && outputs > 0
    var layer: ScaffoldLayer
    if isDepthwise, let groups,
      let depthwise = convention.layout(
        for: ParameterSpec(
          .kernel, .depthwise, axes == 1 ? Layout("WIM") ?? .hwim : .hwim, [:]))
    {
      layer = ScaffoldLayer(axes == 1 ? DepthwiseConvolution1D.name : DepthwiseConvolution2D.name)
      layer.attributes = [
        ("kernelSize", .sizes(window)), ("depthMultiplier", .number(outputs / groups)),
      ]
      layer.roles = [(.kernel, kernel, depthwise)]
    } else {
      layer = ScaffoldLayer(axes == 1 ? Convolution1D.name : Convolution2D.name)
      layer.attributes = [("outputChannels", .number(outputs)), ("kernelSize", .sizes(window))]
      if let groups, groups > 1 {
        layer.guess(
          "groups", .number(groups),
          "the layer before gives \(inputs * groups) channels and the kernel has \(inputs)")
      }
      layer.roles = [(.kernel, kernel, layout)]
    }
    layer.ask(
      "strides",
      "the steps of the kernel, one for each axis: \([Int](repeating: 1, count: axes)) for none skipped"
    )
    // A pointwise kernel needs no padding.
    if window.contains(where: { $0 > 1 }) {
      layer.ask(
        "padding",
        "valid or same; for PyTorch's padding=k//2 write same where the stride is 1, else valid and a ZeroPadding\(axes)D in front"
      )
    }
    if !neighbors.isNormalized { layer.askActivation() }
    layer.add(.bias, bias)
    layer.inputChannels = groups == nil ? inputs : neighbors.channels
    layer.outputChannels = outputs
    layer.spatialAxes = axes
    layer.isConvolution = true
    return layer
  }

  private static func dense(
    _ kernel: NamedTensor, _ bias: NamedTensor?, _ convention: WeightConvention
  ) -> ScaffoldLayer? {
    let spec = ParameterSpec(.kernel, .fullyConnected, .io, [:])
    guard let layout = convention.layout(for: spec) else { return nil }
    let isOutputFirst = layout.axes.first == .outputChannels
    var layer = ScaffoldLayer(Dense.name)
    layer.outputChannels = isOutputFirst ? kernel.shape[0] : kernel.shape[1]
    layer.inputChannels = isOutputFirst ? kernel.shape[1] : kernel.shape[0]
    layer.attributes = [("units", .number(layer.outputChannels ?? 0))]
    layer.askActivation()
    layer.roles = [(.kernel, kernel, layout)]
    layer.add(.bias, bias)
    layer.isDense = true
    return layer
  }

  private static func embedding(_ kernel: NamedTensor) -> ScaffoldLayer {
    var layer = ScaffoldLayer(Embedding.name)
    layer.attributes = [
      ("count", .number(kernel.shape[0])), ("outputChannels", .number(kernel.shape[1])),
    ]
    layer.guesses = [
      .init(place: "operator", text: "by its name; the shape is that of a dense layer, too")
    ]
    layer.roles = [(.kernel, kernel, .io)]
    layer.outputChannels = kernel.shape[1]
    return layer
  }

  private static func batchNormalization(
    _ mean: NamedTensor, _ variance: NamedTensor, _ member: (ParameterRole...) -> NamedTensor?,
    _ convention: WeightConvention
  ) -> ScaffoldLayer {
    var layer = ScaffoldLayer(BatchNormalization.name)
    layer.guess(
      "epsilon", .value(.number(convention.usualEpsilon)),
      "what \(convention.target.name) has by default")
    layer.isNormalization = true
    layer.add(.gamma, member(.gamma))
    layer.add(.beta, member(.beta))
    layer.add(.mean, mean)
    layer.add(.variance, variance)
    layer.inputChannels = mean.shape[0]
    layer.outputChannels = mean.shape[0]
    return layer
  }

  private static func layerNormalization(
    _ gamma: NamedTensor, _ beta: NamedTensor?, _ convention: WeightConvention
  ) -> ScaffoldLayer {
    var layer = ScaffoldLayer(LayerNormalization.name)
    layer.guesses = [
      .init(
        place: "operator",
        text: "a scale and a shift without statistics; a GroupNormalization has them, too")
    ]
    layer.guess(
      "epsilon", .value(.number(convention.usualEpsilon)),
      "what \(convention.target.name) has by default")
    layer.add(.gamma, gamma)
    layer.add(.beta, beta)
    layer.inputChannels = gamma.shape[0]
    layer.outputChannels = gamma.shape[0]
    return layer
  }

  /// Returns a recurrent layer, whose number of gates is the ratio of kernel rows to units.
  private static func recurrent(
    _ kernel: NamedTensor, _ recurrent: NamedTensor, _ member: (ParameterRole...) -> NamedTensor?
  ) -> ScaffoldLayer? {
    guard recurrent.shape.count == 2, kernel.shape.count == 2 else { return nil }
    let (units, rows) = (recurrent.shape.min() ?? 1, recurrent.shape.max() ?? 1)
    let operation: String? =
      switch units > 0 ? rows / units : 0 {
      case 1: SimpleRNN.name
      case 3: GRU.name
      case 4: LSTM.name
      default: nil
      }
    guard let operation, rows % units == 0 else { return nil }
    var layer = ScaffoldLayer(operation)
    layer.attributes = [("units", .number(units))]
    layer.ask(
      "recurrence",
      "{\"returns\": \"sequence\"} if the next layer reads each step, {\"returns\": \"last\"} if it reads the last"
    )
    layer.add(.kernel, kernel)
    layer.add(.recurrent, recurrent)
    layer.add(.bias, member(.inputBias, .bias))
    layer.add(.recurrentBias, member(.recurrentBias))
    layer.inputChannels = kernel.shape[0] == rows ? kernel.shape[1] : kernel.shape[0]
    layer.outputChannels = units
    return layer
  }
}
