import ModelIR
import Operators

/// A model as MPSCNN kernels, in the order in which they run.
struct MPSCNNPlan {
  /// The model's inputs in order.
  private(set) var inputs: [Input] = []
  var steps: [MPSCNNStep] = []
  /// The concatenations, each an image that several steps write.
  var joined: [JoinedImage] = []
  /// The images of the model's outputs in order.
  var outputs: [MPSCNNStep.Source] = []

  /// An input with the shape of its image.
  struct Input {
    let input: ModelInput
    let shape: ImageShape
  }

  /// The state of a model's value during planning.
  struct Value {
    var source: MPSCNNStep.Source
    var shape: ImageShape
    /// Zeros around the image that are not stored: the layers that read the value treat them as
    /// padding.
    var zeros = Zeros()
  }

  /// The numbers of zeros at each side of an image.
  struct Zeros: Equatable {
    var top = 0
    var left = 0
    var bottom = 0
    var right = 0
  }

  private var values: [String: Value] = [:]
  let uses: LayerUses
  /// The custom layers.
  let customLayers: CustomLayers

  /// Creates a plan for `model`, whose parameters are in the layouts of the target.
  ///
  /// - Throws: `badData` with every layer that MPSCNN has no kernel for.
  init(_ model: Model, _ customLayers: CustomLayers) throws(NetconvError) {
    uses = LayerUses(model)
    self.customLayers = customLayers
    for input in model.inputs {
      do throws(NetconvError) {
        let shape = try ImageShape(input.shape)
        guard shape.channels <= ImageShape.mostChannels else { throw .tooManyChannels(shape) }
        values[input.name] = Value(source: .input(inputs.count), shape: shape)
        inputs.append(Input(input: input, shape: shape))
      } catch {
        throw .notAnInput(input.name, error)
      }
    }
    var problems: [Message] = []
    for layer in model.layers where uses.reachesOutput(layer.name) {
      let first = steps.count
      do throws(NetconvError) {
        guard let value = try plan(layer) else { continue }
        for step in steps[first...] where step.shape.channels > ImageShape.mostChannels {
          throw .tooManyChannels(step.shape)
        }
        values[layer.name] = value
      } catch {
        problems.append("\(model.place(of: error.layer ?? layer.name)): \(error.text)")
      }
    }
    guard problems.isEmpty else { throw .notWritten(problems, in: "MPSCNN") }
    for name in model.outputs {
      guard let source = values[name]?.source else { throw .inputAsOutput(name) }
      if case .input = source { throw .inputAsOutput(name) }
      outputs.append(source)
    }
    writeInPlace()
  }

  /// The shape of an image.
  func shape(of source: MPSCNNStep.Source) -> ImageShape {
    switch source {
    case .input(let input): inputs[input].shape
    case .step(let step): steps[step].shape
    case .joined(let image): joined[image].shape
    }
  }

  /// The number of times that kernels read an image.
  func readers(of source: MPSCNNStep.Source) -> Int {
    steps.reduce(0) { $0 + $1.reads.count { $0 == source } }
  }
}

// MARK: - Layers

extension MPSCNNPlan {
  /// Adds the steps of a layer.
  ///
  /// - Returns: The layer's value; `nil` if an input could not be planned, which was already
  ///   reported.
  private mutating func plan(_ layer: Layer) throws(NetconvError) -> Value? {
    let inputs = layer.inputs.compactMap { values[$0] }
    // A layer after one without a kernel is still checked for its own kernel.
    guard inputs.count == layer.inputs.count else {
      try Self.checkHasKernel(layer)
      return nil
    }
    if uses.isTakenOver(layer.name) { return inputs[0] }
    switch layer.operation {
    case is Identity: return inputs[0]
    case let operation as ZeroPadding2D: return padded(inputs[0], operation, layer)
    case let operation as Convolution2D: return try convolution(inputs[0], operation, layer)
    case let operation as DepthwiseConvolution2D: return try depthwise(inputs[0], operation, layer)
    case let operation as SeparableConvolution2D: return try separable(inputs[0], operation, layer)
    case let operation as MaxPooling2D:
      return try pooling(inputs[0], operation.window, isMaximum: true, layer)
    case let operation as AveragePooling2D:
      return try pooling(inputs[0], operation.window, isMaximum: false, layer)
    default:
      precondition(
        inputs.allSatisfy { $0.zeros == Zeros() }, "only those imagine zeros that can do so")
      return try planStored(layer, inputs)
    }
  }

  /// Adds the steps of a layer that reads images as they are stored, without implicit zeros.
  private mutating func planStored(
    _ layer: Layer, _ inputs: [Value]
  ) throws(NetconvError) -> Value {
    switch layer.operation {
    case is Flatten: return inputs[0]
    case is Reshape: return try reshaped(inputs[0], layer)
    case let operation as TransposedConvolution2D:
      return try transposed(inputs[0], operation, layer)
    case let operation as UpSampling2D: return try enlarged(inputs[0], operation, layer)
    case let operation as Dense: return try dense(inputs[0], operation, layer)
    case is GlobalAveragePooling2D: return try globalPooling(inputs[0], isMaximum: false, layer)
    case is GlobalMaxPooling2D: return try globalPooling(inputs[0], isMaximum: true, layer)
    case let operation as Activation:
      return try activated(
        operation.function, inputs[0], layer.outputShape, of: layer.name, as: layer.name)
    case let operation as BatchNormalization:
      return try normalization(inputs[0], operation, layer)
    case let operation as Cropping2D: return try cropped(inputs[0], operation, layer)
    case is PReLU: return try rectified(inputs[0], layer)
    case let operation as Rescaling: return try rescaled(inputs[0], operation, layer)
    case let operation as Normalization:
      return try standardized(inputs[0], operation, layer)
    case is Scale: return try scaled(inputs[0], layer)
    case let operation as ScaledAdd: return try scaledSum(inputs, operation, layer)
    case let operation as any MergeOperator:
      return try merged(inputs, type(of: operation).combination, layer)
    case let operation as Concatenate: return try concatenation(inputs, operation, layer)
    case is any ClosureOperator: return try custom(inputs, layer)
    default: throw .noKernel(type(of: layer.operation).name)
    }
  }

  /// Checks that ``plan(_:)`` has a case for the operator.
  private static func checkHasKernel(_ layer: Layer) throws(NetconvError) {
    switch layer.operation {
    case is Identity, is Flatten, is ZeroPadding2D, is Convolution2D, is DepthwiseConvolution2D,
      is MaxPooling2D, is AveragePooling2D, is Dense, is GlobalAveragePooling2D, is Activation,
      is GlobalMaxPooling2D, is BatchNormalization, is Concatenate, is SeparableConvolution2D,
      is TransposedConvolution2D, is UpSampling2D, is Cropping2D, is Rescaling, is Reshape,
      is Normalization, is Scale, is ScaledAdd,
      is any MergeOperator, is any ClosureOperator:
      break
    case is PReLU: try Self.checkSlopes(layer)
    default: throw .noKernel(type(of: layer.operation).name)
    }
  }

  /// Adds a step.
  mutating func add(_ step: MPSCNNStep) -> Value {
    steps.append(step)
    return Value(source: .step(steps.count - 1), shape: step.shape)
  }

  /// The value in another shape with the same image; a vector is one pixel.
  private func reshaped(_ input: Value, _ layer: Layer) throws(NetconvError) -> Value {
    // As after a flatten, the reader of a vector uses the shape of the image.
    if layer.outputShape.rank == 1 { return input }
    guard try ImageShape(layer.outputShape) == input.shape else {
      throw .movesValues(layer.inputShapes[0], layer.outputShape)
    }
    return input
  }

  /// Pads the image with zeros: implicitly if all its readers can, otherwise with a kernel.
  private mutating func padded(
    _ input: Value, _ operation: ZeroPadding2D, _ layer: Layer
  ) -> Value {
    var value = input
    value.zeros.top += operation.padding[0][0]
    value.zeros.bottom += operation.padding[0][1]
    value.zeros.left += operation.padding[1][0]
    value.zeros.right += operation.padding[1][1]
    guard !uses.readersImagineZeros(layer.name) else { return value }
    let (zeros, image) = (value.zeros, input.shape)
    return add(
      MPSCNNStep(
        layer: layer.name, result: layer.name,
        kernel: PadKernel(corner: MPSCNNStep.Corner(left: zeros.left, top: zeros.top)),
        reads: [input.source],
        shape: ImageShape(
          height: image.height + zeros.top + zeros.bottom,
          width: image.width + zeros.left + zeros.right, channels: image.channels)))
  }
}

extension NetconvError {
  fileprivate static func movesValues(_ input: Shape, _ output: Shape) -> NetconvError {
    NetconvError(
      .badData, "a reshape from \(input) to \(output); it must not change the image")
  }
}
