import ModelIR
import Operators
import Transforms

/// A small model that reveals the order in which its weights are read, because each weight is its own index.
///
/// The axes of a kernel all differ in size, so that no two orders look the same; only the kernel of a state has as
/// many inputs as units. The values of a kernel count from 0 in the layout of its operator's definition, which is
/// that of Keras. Vectors, which are always float32, count from different multiples of 100, so that they cannot be
/// mistaken for each other. The biases of gates are fractions, because large values would open every gate and hide
/// the input.
struct ProbeModel {
  let model: Model
  /// One image and, if a layer reads it, one sequence; the values are small, of both signs, and all different.
  let inputs: [(name: String, values: NDArray<Float>)]

  /// The number of values in a kernel: a product of four different sizes above 1, small enough for bfloat16.
  private static let kernelCount = 120

  /// Creates the probe for `target`, with the layers for which it has a layout.
  ///
  /// - Throws: `usage` if the element type cannot represent the index of each value.
  init(for target: Target, _ elementType: ElementType) throws(NetconvError) {
    guard ProbeRequest.elementTypes.contains(elementType) else {
      throw .probeOfIntegers(elementType)
    }
    guard Self.kernelCount - 1 <= elementType.largestExactIndex else {
      throw .probeTooLarge(Self.kernelCount, elementType)
    }
    let definitions = try Self.definitions { target.layout(for: $0) != nil }
    var vectors = 0
    var shapes = ["image": Shape([4, 6, 2]), "steps": Shape([7, 5])]
    let layers = try definitions.map { definition throws(NetconvError) in
      var definition = definition
      let inputs = definition.inputs.compactMap { shapes[$0] }
      shapes[definition.name] = try definition.operation.outputShape(for: inputs)
      for spec in try definition.operation.parameters(for: inputs) {
        // Of the layers here, only the GRU has a second bias in Keras.
        if spec.role == .recurrentBias, spec.cell != .gru { continue }
        if spec.kind == .vector { vectors += 1 }
        definition.parameters[spec.role] = StoredTensor(
          source: ArraySource(try Self.values(of: spec, vector: vectors)), layout: nil, shape: nil,
          path: "\(definition.name)/\(spec.role)")
      }
      return definition
    }
    let read = Set(layers.flatMap(\.inputs))
    inputs = [
      ("image", Self.numbers([1, 4, 6, 2], over: 64)),
      ("steps", Self.numbers([1, 7, 5], over: 2048)),
    ].filter { read.contains($0.0) }
    model = try Model(
      name: "probe",
      inputs: inputs.map {
        ModelInput(name: $0.name, shape: Shape(Array($0.values.shape.dropFirst())))
      }, layers: layers, outputs: layers.map(\.name).filter { !read.contains($0) })
  }

  /// Returns the values of a parameter.
  ///
  /// - Parameter vector: the index of the parameter among the vectors, if it is one.
  private static func values(
    of spec: ParameterSpec, vector: Int
  ) throws(NetconvError) -> [Float] {
    let places = 0..<(try spec.count())
    guard spec.kind == .vector else { return places.map { Float($0) } }
    guard spec.cell == nil else {
      let sign: Float = spec.role == .bias ? 1 : -1
      return places.map { sign * Float($0 + 1) / 256 }
    }
    return places.map { Float(100 * vector + $0) }
  }

  /// Returns different numbers around 0.
  private static func numbers(_ shape: [Int], over divisor: Float) -> NDArray<Float> {
    let count = shape.reduce(1, *)
    // Neither count has a common divisor with its step.
    let step = count % 7 == 0 ? 11 : 7
    return NDArray(
      shape: shape,
      values: (0..<count).map { (Float($0 * step % count) - Float(count / 2)) / divisor })
  }

  private static func definitions(
    _ hasLayout: (ParameterSpec) -> Bool
  ) throws(NetconvError) -> [LayerDefinition] {
    let inner = Shape([2, 3, 5])
    // Targets that do not support a channel multiplier accept a multiplier of 1.
    let depthwise = [4, 1].map {
      DepthwiseConvolution2D(
        kernelSize: Size2D(3, 2), depthMultiplier: $0, padding: .same)
    }
    let transposed = TransposedConvolution2D(
      outputChannels: 2, kernelSize: Size2D(3, 4))
    func isTaken(_ operation: any Operator) throws(NetconvError) -> Bool {
      try operation.parameters(for: [inner]).allSatisfy(hasLayout)
    }
    var layers = [
      LayerDefinition(
        name: "conv",
        operation: Convolution2D(outputChannels: 5, kernelSize: Size2D(3, 4)),
        inputs: ["image"]),
      LayerDefinition(name: "norm", operation: BatchNormalization(axis: 2), inputs: ["conv"]),
    ]
    for operation in depthwise where try isTaken(operation) {
      layers.append(LayerDefinition(name: "depthwise", operation: operation, inputs: ["norm"]))
      break
    }
    if try isTaken(transposed) {
      layers.append(LayerDefinition(name: "transposed", operation: transposed, inputs: ["norm"]))
    }
    layers += [
      LayerDefinition(name: "flatten", operation: Flatten(), inputs: ["norm"]),
      LayerDefinition(name: "dense", operation: Dense(units: 4), inputs: ["flatten"]),
    ]
    return try layers + overSequences(hasLayout)
  }

  /// Returns layers over sequences, which read an input of their own.
  private static func overSequences(
    _ hasLayout: (ParameterSpec) -> Bool
  ) throws(NetconvError) -> [LayerDefinition] {
    let steps = Shape([7, 5])
    let sequence = Recurrence(returns: .sequence)
    let layers: [(String, any Operator)] = [
      ("conv1d", Convolution1D(outputChannels: 6, kernelSize: Size1D(4))),
      ("lstm", LSTM(units: 3, recurrence: sequence)),
      ("gru", GRU(units: 2, resetsAfter: true, recurrence: sequence)),
    ]
    var taken: [LayerDefinition] = []
    for (name, operation) in layers
    where try operation.parameters(for: [steps]).allSatisfy(hasLayout) {
      taken.append(LayerDefinition(name: name, operation: operation, inputs: ["steps"]))
    }
    return taken
  }
}

extension NetconvError {
  fileprivate static func probeTooLarge(_ count: Int, _ type: ElementType) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(type.rawValue) represents integers up to \(type.largestExactIndex) only, but a kernel of the probe "
        + "has \(count) values; use another \(.elementType)")
  }

  fileprivate static func probeOfIntegers(_ type: ElementType) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "a probe numbers positions, and \(type.rawValue) with a scale per channel does not represent every number; use "
        + "\(.elementType) float32, float16 or bfloat16")
  }
}
