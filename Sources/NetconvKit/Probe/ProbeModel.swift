import ModelIR
import Operators
import Transforms

/// A small model that shows in which order its weights are read: each is the number of its place.
///
/// The axes of a kernel have sizes that are all different, so that no two orders look the same. A kernel counts from
/// 0 in the order in which its operator is defined, as Keras stores it; vectors, which are always float32, count from
/// hundreds of their own, so that none can be taken for another.
struct ProbeModel {
  /// The model.
  let model: Model
  /// One image; its values are small, of both signs and all different.
  let image: NDArray<Float>

  /// The values of a kernel: a product of four different sizes over 1, small enough for a bfloat16.
  private static let kernelCount = 120

  /// The probe for `target`, which has the layers that the target has a layout for.
  ///
  /// - Throws: `usage` if the type cannot hold the number of each place.
  init(for target: Target, _ elementType: ElementType) throws(NetconvError) {
    guard ProbeRequest.elementTypes.contains(elementType) else {
      throw .probeOfIntegers(elementType)
    }
    guard Self.kernelCount - 1 <= elementType.largestExactIndex else {
      throw .probeTooLarge(Self.kernelCount, elementType)
    }
    let definitions = try Self.definitions { target.layout(for: $0) != nil }
    var vectors = 0
    var shapes = ["image": Shape([4, 6, 2])]
    let layers = try definitions.map { definition throws(NetconvError) in
      var definition = definition
      let inputs = definition.inputs.compactMap { shapes[$0] }
      shapes[definition.name] = try definition.operation.outputShape(for: inputs)
      for spec in try definition.operation.parameters(for: inputs) {
        if spec.kind == .vector { vectors += 1 }
        let first = spec.kind == .vector ? 100 * vectors : 0
        let count = try spec.count()
        definition.parameters[spec.role] = StoredTensor(
          source: ArraySource((first..<first + count).map { Float($0) }), layout: nil, shape: nil,
          path: "\(definition.name)/\(spec.role)")
      }
      return definition
    }
    let read = Set(layers.flatMap(\.inputs))
    model = try Model(
      name: "probe", inputs: [ModelInput(name: "image", shape: Shape([4, 6, 2]))],
      layers: layers, outputs: layers.map(\.name).filter { !read.contains($0) })
    image = NDArray(shape: [1, 4, 6, 2], values: (0..<48).map { (Float($0 * 7 % 48) - 24) / 64 })
  }

  private static func definitions(
    _ hasLayout: (ParameterSpec) -> Bool
  ) throws(NetconvError) -> [LayerDefinition] {
    let inner = Shape([2, 3, 5])
    // A target that takes no multiplier takes one of 1.
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
    return layers + [
      LayerDefinition(name: "flatten", operation: Flatten(), inputs: ["norm"]),
      LayerDefinition(name: "dense", operation: Dense(units: 4), inputs: ["flatten"]),
    ]
  }
}
