import ModelIR
import Operators

/// A model as kernels of MPSCNN, in the order in which they run.
struct MPSCNNPlan {
  let input: ModelInput
  let inputShape: ImageShape
  private(set) var steps: [MPSCNNStep] = []
  /// The steps that write the model's outputs, in its order.
  private(set) var outputs: [Int] = []

  /// What is known of a value of the model while it is planned.
  private struct Value {
    var source: MPSCNNStep.Source
    var shape: ImageShape
    /// Zeros around the image that no image holds: whoever reads it has to imagine them.
    var zeros = Zeros()
  }

  /// Zeros around an image.
  private struct Zeros: Equatable {
    var top = 0
    var left = 0
    var bottom = 0
    var right = 0
  }

  private var values: [String: Value] = [:]
  private let uses: LayerUses

  /// Plans `model`, whose parameters are in the layouts of the target.
  ///
  /// - Throws: `badData` with every layer that MPSCNN has no kernel for.
  init(_ model: Model) throws(NetconvError) {
    guard model.inputs.count == 1 else { throw .severalInputs(model.inputs.map(\.name)) }
    input = model.inputs[0]
    inputShape = try ImageShape(input.shape)
    uses = LayerUses(model)
    values[input.name] = Value(source: .input, shape: inputShape)
    var problems: [String] = []
    for layer in model.layers where uses.reachesOutput(layer.name) {
      do throws(NetconvError) {
        guard let value = try plan(layer) else { continue }
        values[layer.name] = value
      } catch {
        problems.append(model.place(of: error.layer ?? layer.name) + ": " + error.message)
      }
    }
    guard problems.isEmpty else { throw .notWritten(problems, in: "MPSCNN") }
    for name in model.outputs {
      guard let value = values[name], case .step(let step) = value.source else {
        throw .inputAsOutput(name)
      }
      outputs.append(step)
    }
  }

  /// How many kernels read the image of a step.
  func readers(of step: Int) -> Int {
    steps.reduce(0) { $0 + $1.reads.count { $0 == .step(step) } }
  }
}

// MARK: - Layers

extension MPSCNNPlan {
  /// Adds the steps of a layer.
  ///
  /// - Returns: its value; `nil` if something it reads could not be planned, which was reported.
  private mutating func plan(_ layer: Layer) throws(NetconvError) -> Value? {
    let inputs = layer.inputs.compactMap { values[$0] }
    // A layer that is behind one without a kernel is still asked if it has one itself.
    guard inputs.count == layer.inputs.count else {
      try Self.checkHasKernel(layer)
      return nil
    }
    if uses.isTakenOver(layer.name) { return inputs[0] }
    switch layer.operation {
    case is Identity: return inputs[0]
    case is Flatten:
      guard inputs[0].zeros == Zeros() else { throw .paddingNotFolded }
      return inputs[0]
    case let operation as ZeroPadding2D: return try padded(inputs[0], operation, layer)
    case let operation as Convolution2D: return try convolution(inputs[0], operation, layer)
    case let operation as DepthwiseConvolution2D: return try depthwise(inputs[0], operation, layer)
    case let operation as MaxPooling2D:
      return try pooling(inputs[0], operation.window, isMaximum: true, layer)
    case let operation as AveragePooling2D:
      return try pooling(inputs[0], operation.window, isMaximum: false, layer)
    default: break
    }
    guard inputs.allSatisfy({ $0.zeros == Zeros() }) else { throw .paddingNotFolded }
    switch layer.operation {
    case let operation as Dense: return try dense(inputs[0], operation, layer)
    case is GlobalAveragePooling2D: return try globalPooling(inputs[0], isMaximum: false, layer)
    case is GlobalMaxPooling2D: return try globalPooling(inputs[0], isMaximum: true, layer)
    case let operation as Activation:
      return try activated(
        operation.function, inputs[0], layer.outputShape, of: layer.name, as: layer.name)
    case let operation as BatchNormalization:
      return try normalization(inputs[0], operation, layer)
    case is Add: return try sum(inputs, layer)
    case let operation as Concatenate: return try concatenation(inputs, operation, layer)
    default: throw .noKernel(type(of: layer.operation).name)
    }
  }

  /// The operators that ``plan(_:)`` has a case for.
  private static func checkHasKernel(_ layer: Layer) throws(NetconvError) {
    switch layer.operation {
    case is Identity, is Flatten, is ZeroPadding2D, is Convolution2D, is DepthwiseConvolution2D,
      is MaxPooling2D, is AveragePooling2D, is Dense, is GlobalAveragePooling2D, is Activation,
      is GlobalMaxPooling2D, is BatchNormalization, is Add, is Concatenate:
      break
    default: throw .noKernel(type(of: layer.operation).name)
    }
  }

  private mutating func add(_ step: MPSCNNStep) -> Value {
    steps.append(step)
    return Value(source: .step(steps.count - 1), shape: step.shape)
  }

  /// Zeros are no kernel: those that read the image begin further outside.
  private func padded(
    _ input: Value, _ operation: ZeroPadding2D, _ layer: Layer
  ) throws(NetconvError) -> Value {
    guard uses.readersImagineZeros(layer.name) else { throw .paddingNotFolded }
    var value = input
    value.zeros.top += operation.padding[0][0]
    value.zeros.bottom += operation.padding[0][1]
    value.zeros.left += operation.padding[1][0]
    value.zeros.right += operation.padding[1][1]
    return value
  }
}

// MARK: - Windows

extension MPSCNNPlan {
  private mutating func convolution(
    _ input: Value, _ operation: Convolution2D, _ layer: Layer
  ) throws(NetconvError) -> Value {
    let channels = input.shape.channels
    let groups = operation.groups
    guard
      groups == 1
        || (channels / groups % 4 == 0 && operation.outputChannels / groups % 4 == 0)
    else { throw .groups(groups, of: channels, operation.outputChannels) }
    return try windowed(
      input, layer, operation.activation,
      MPSCNNStep.Convolution(
        window: operation.window, channels: channels, outputs: operation.outputChannels,
        groups: groups, isDepthwise: false, padding: Self.padding(operation.window, input),
        hasBias: layer.parameter(.bias) != nil))
  }

  private mutating func depthwise(
    _ input: Value, _ operation: DepthwiseConvolution2D, _ layer: Layer
  ) throws(NetconvError) -> Value {
    guard operation.depthMultiplier == 1 else { throw .multiplier(operation.depthMultiplier) }
    return try windowed(
      input, layer, operation.activation,
      MPSCNNStep.Convolution(
        window: operation.window, channels: input.shape.channels, outputs: input.shape.channels,
        groups: 1, isDepthwise: true, padding: Self.padding(operation.window, input),
        hasBias: layer.parameter(.bias) != nil))
  }

  private mutating func windowed(
    _ input: Value, _ layer: Layer, _ function: ActivationFunction,
    _ convolution: MPSCNNStep.Convolution
  ) throws(NetconvError) -> Value {
    var convolution = convolution
    let shape = try ImageShape(layer.outputShape)
    let remark = Self.remark(convolution.window, input)
    return try summed(layer, function, shape) { neuron in
      convolution.neuron = neuron
      return MPSCNNStep(
        layer: layer.owner, kernel: .convolution(convolution), reads: [input.source],
        shape: shape, remark: remark)
    }
  }

  private mutating func pooling(
    _ input: Value, _ window: Window2D, isMaximum: Bool, _ layer: Layer
  ) throws(NetconvError) -> Value {
    let sizes = try ImageShape(layer.outputShape)
    let padding = Self.padding(window, input)
    let zeros = input.zeros != Zeros()
    // Zeros count, padding does not: a window may meet one of the two.
    guard !zeros || window.padding == .valid else { throw .paddingNotFolded }
    let reach = (
      (sizes.height - 1) * window.strides.height + window.size.height - padding.top,
      (sizes.width - 1) * window.strides.width + window.size.width - padding.left
    )
    return add(
      MPSCNNStep(
        layer: layer.name, result: layer.name,
        kernel: .pooling(
          MPSCNNStep.Pooling(
            isMaximum: isMaximum, window: window, padding: padding, countsZeros: zeros,
            reachesOutside: padding != MPSCNNStep.Corner(left: 0, top: 0)
              || reach.0 > input.shape.height || reach.1 > input.shape.width)),
        reads: [input.source], shape: sizes, remark: Self.remark(window, input)))
  }

  /// A window as large as the image.
  private mutating func globalPooling(
    _ input: Value, isMaximum: Bool, _ layer: Layer
  ) throws(NetconvError) -> Value {
    let size = Size2D(input.shape.height, input.shape.width)
    let window = Window2D(size: size, strides: .one, padding: .valid)
    return try pooling(input, window, isMaximum: isMaximum, layer)
  }

  /// How far outside of the image the first window begins.
  private static func padding(_ window: Window2D, _ input: Value) -> MPSCNNStep.Corner {
    let zeros = input.zeros
    return MPSCNNStep.Corner(
      left: window.columns.paddingBefore(input.shape.width + zeros.left + zeros.right) + zeros.left,
      top: window.rows.paddingBefore(input.shape.height + zeros.top + zeros.bottom) + zeros.top)
  }

  /// What is to be said about SAME padding: TensorFlow's is not centred.
  private static func remark(_ window: Window2D, _ input: Value) -> String? {
    guard window.padding == .same, input.zeros == Zeros() else { return nil }
    var places: [String] = []
    if window.columns.isUneven(input.shape.width) { places.append("at the right") }
    if window.rows.isUneven(input.shape.height) { places.append("at the bottom") }
    return places.isEmpty
      ? nil : "SAME: one pixel of padding more \(places.joined(separator: " and "))."
  }
}

extension WindowAxis {
  /// Whether one pixel more of padding is behind `length` pixels than in front of them.
  fileprivate func isUneven(_ length: Int) -> Bool {
    max(0, (count(in: length) - 1) * stride + extent - length) % 2 == 1
  }
}

// MARK: - Sums, activations and the rest

extension MPSCNNPlan {
  private mutating func dense(
    _ input: Value, _ operation: Dense, _ layer: Layer
  ) throws(NetconvError) -> Value {
    guard layer.inputShapes[0].rank == 1 else { throw .denseOverPixels(layer.inputShapes[0]) }
    let sizes = layer.parameter(.kernel)?.spec.sizes ?? [:]
    let kernel = [sizes[.height] ?? 1, sizes[.width] ?? 1, sizes[.inputChannels] ?? 1]
    guard kernel == [input.shape.height, input.shape.width, input.shape.channels] else {
      throw .denseMismatch(kernel, input.shape)
    }
    let shape = ImageShape(height: 1, width: 1, channels: operation.units)
    return try summed(layer, operation.activation, shape) { neuron in
      MPSCNNStep(
        layer: layer.owner,
        kernel: .fullyConnected(
          MPSCNNStep.FullyConnected(
            image: input.shape, outputs: operation.units,
            hasBias: layer.parameter(.bias) != nil, neuron: neuron)),
        reads: [input.source], shape: shape)
    }
  }

  /// Adds a kernel that sums, with its layer's activation or that of the layer that only reads it.
  ///
  /// A neuron is a part of the kernel. A softmax is none; it gets the sums as floats, so that they are rounded
  /// only once, behind it.
  private mutating func summed(
    _ layer: Layer, _ function: ActivationFunction, _ shape: ImageShape,
    _ step: (_ neuron: String?) -> MPSCNNStep
  ) throws(NetconvError) -> Value {
    let (function, result) =
      function.isLinear
      ? uses.activation(behind: layer.name) ?? (.linear, layer.name) : (function, layer.name)
    let neuron: MPSCNNNeuron
    do {
      neuron = try MPSCNNNeuron(function, layer.outputShape, in: shape)
    } catch {
      throw error.inLayer(result)
    }
    var sums: MPSCNNStep
    switch neuron {
    case .none, .softMax, .logSoftMax: sums = step(nil)
    case .neuron(let text): sums = step(text)
    }
    guard neuron == .softMax || neuron == .logSoftMax else {
      sums.result = result
      return add(sums)
    }
    return try activated(function, add(sums), layer.outputShape, of: layer.name, as: result)
  }

  private mutating func activated(
    _ function: ActivationFunction, _ input: Value, _ shape: Shape, of layer: String,
    as result: String
  ) throws(NetconvError) -> Value {
    let kernel: MPSCNNStep.Kernel
    switch try MPSCNNNeuron(function, shape, in: input.shape) {
    case .none: return input
    case .neuron(let text): kernel = .neuron(text)
    case .softMax: kernel = .softMax
    case .logSoftMax: kernel = .logSoftMax
    }
    return add(
      MPSCNNStep(
        layer: layer, result: result, kernel: kernel, reads: [input.source], shape: input.shape))
  }

  private mutating func normalization(
    _ input: Value, _ operation: BatchNormalization, _ layer: Layer
  ) throws(NetconvError) -> Value {
    let rank = layer.outputShape.rank
    guard operation.axis == -1 || operation.axis == rank - 1, rank == 3 || input.shape.isPixel
    else { throw .normalizationNotOverChannels }
    return add(
      MPSCNNStep(
        layer: layer.owner, result: layer.name,
        kernel: .normalization(channels: input.shape.channels, epsilon: operation.epsilon),
        reads: [input.source], shape: input.shape))
  }

  /// A sum of two images, and of that and the next; all but the last are kept as floats.
  private mutating func sum(_ inputs: [Value], _ layer: Layer) throws(NetconvError) -> Value {
    guard inputs.allSatisfy({ $0.shape == inputs[0].shape }) else { throw .unlikeImages }
    var value = inputs[0]
    for (index, other) in inputs.dropFirst().enumerated() {
      value = add(
        MPSCNNStep(
          layer: layer.name, result: index == inputs.count - 2 ? layer.name : nil, kernel: .add,
          reads: [value.source, other.source], shape: value.shape))
    }
    return value
  }
}

extension MPSCNNPlan {
  private mutating func concatenation(
    _ inputs: [Value], _ operation: Concatenate, _ layer: Layer
  ) throws(NetconvError) -> Value {
    let rank = layer.outputShape.rank
    let shapes = inputs.map(\.shape)
    guard operation.axis == -1 || operation.axis == rank - 1,
      rank == 3 || shapes.allSatisfy(\.isPixel)
    else { throw .concatenationNotOfChannels }
    let channels = shapes.map(\.channels)
    guard channels.dropLast().allSatisfy({ $0 % 4 == 0 }) else {
      throw .concatenationBetweenSlices(channels)
    }
    return add(
      MPSCNNStep(
        layer: layer.name, result: layer.name, kernel: .concatenation(channels),
        reads: inputs.map(\.source),
        shape: ImageShape(
          height: shapes[0].height, width: shapes[0].width, channels: channels.reduce(0, +))))
  }
}
