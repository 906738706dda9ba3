import Datasets
import Execution
import ModelIR
import Operators
import TestSupport
import Testing
import Transforms

/// A model whose parameters are arithmetic sequences with steps by layer and role, in the orders of `layouts`.
struct FoldingModel {
  var layers: [LayerDefinition] = []
  private var shapes: [String: Shape]
  private let input: ModelInput

  init(_ shape: [Int]) {
    input = ModelInput(name: "x", shape: Shape(shape))
    shapes = ["x": Shape(shape)]
  }

  /// Adds a layer that reads the previous one, or the layers in `inputs`.
  mutating func add(
    _ name: String, _ operation: any Operator, _ inputs: String..., layout: Layout? = nil,
    reversed: Set<Axis> = [], without: Set<ParameterRole> = [], owner: String? = nil
  ) throws {
    let inputs = inputs.isEmpty ? [layers.last?.name ?? "x"] : inputs
    let inputShapes = inputs.compactMap { shapes[$0] }
    shapes[name] = try operation.outputShape(for: inputShapes)
    var parameters: [ParameterRole: StoredTensor] = [:]
    for spec in try operation.parameters(for: inputShapes) where !without.contains(spec.role) {
      let key = (owner ?? name) + spec.role.rawValue
      let seed = key.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) % 1009 }
      let values = (0..<(try spec.count())).map { index in
        let value = Float((index * 37 + seed) % 101) / 50 - 1
        return spec.role == .variance ? abs(value) + 0.01 : value
      }
      let isKernel = spec.kind != .vector
      parameters[spec.role] = StoredTensor(
        source: ArraySource(values), layout: isKernel ? layout : nil,
        reversed: isKernel ? reversed : [], shape: nil, path: "/\(owner ?? name)/\(spec.role)")
    }
    layers.append(
      LayerDefinition(
        name: name, operation: operation, inputs: inputs, parameters: parameters,
        parameterOwner: owner))
  }

  func model(outputs: [String]? = nil) throws -> Model {
    try Model(
      name: "m", inputs: [input], layers: layers, outputs: outputs ?? [layers.last?.name ?? ""])
  }
}

@Suite("Folding of normalisations")
struct FoldingTests {
  /// The outputs in Double, in the order of the model's outputs.
  private func outputs(_ model: Model) throws -> [[Float]] {
    var inputs: [String: NDArray<Float>] = [:]
    for input in model.inputs {
      let shape = [2] + (input.shape.known ?? [])
      let count = shape.reduce(1, *)
      let values = (0..<count).map { (index: Int) -> Float in Float(index * 29 % 97) / 48 - 1 }
      inputs[input.name] = NDArray(shape: shape, values: values)
    }
    let found = try ReferenceEngine(model).run(inputs)
    return try model.outputs.map { try #require(found[$0]).values }
  }

  /// Folds, expects these layers to be gone and the outputs to be the same but for rounding.
  @discardableResult
  private func expectFolded(
    _ model: Model, _ names: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Folding {
    let folding = try model.foldingBatchNormalization()
    #expect(folding.folded.map(\.layer) == names, sourceLocation: sourceLocation)
    #expect(
      folding.model.layers.map(\.name)
        == model.layers.map(\.name).filter { !names.contains($0) }, sourceLocation: sourceLocation)
    for (found, expected) in zip(try outputs(folding.model), try outputs(model)) {
      // One rounding of each weight, 2^-24, and sums of up to 200 products that cancel.
      #expect(relativeDifference(found, expected) < 1e-5, sourceLocation: sourceLocation)
    }
    return folding
  }

  static let operations: [any Operator] = {
    var operations: [any Operator] = [Dense(units: 5)]
    for strides in [Size2D.one, Size2D(2, 3)] {
      for padding in [Padding.valid, .same] {
        for groups in [1, 3] {
          operations.append(
            Convolution2D(
              outputChannels: 9, kernelSize: Size2D(3, 2), strides: strides,
              groups: groups, padding: padding))
        }
        for multiplier in [1, 2] {
          operations.append(
            DepthwiseConvolution2D(
              kernelSize: Size2D(2, 3), depthMultiplier: multiplier,
              strides: strides, padding: padding))
          operations.append(
            SeparableConvolution2D(
              outputChannels: 5, kernelSize: Size2D(2, 3),
              depthMultiplier: multiplier, strides: strides, padding: padding))
        }
        operations.append(
          TransposedConvolution2D(
            outputChannels: 5, kernelSize: Size2D(3, 2), strides: strides,
            padding: padding))
      }
    }
    return operations
  }()

  @Test(
    "every kernel takes a normalisation and a scale, with a bias and without",
    arguments: operations.indices)
  func everyKernel(index: Int) throws {
    for without in [Set<ParameterRole>(), [.bias]] {
      var builder = FoldingModel([7, 8, 6])
      try builder.add("sum", Self.operations[index], without: without)
      try builder.add("norm", BatchNormalization(epsilon: 0.01))
      try builder.add("scale", Scale())
      try builder.add("relu", Activation(.relu))
      let folding = try expectFolded(try builder.model(), "norm", "scale")
      #expect(folding.folded.map(\.into) == ["sum", "sum"])
      #expect(folding.folded.map(\.createsBias) == [!without.isEmpty, false])
      #expect(folding.model.layer(named: "relu")?.inputs == ["sum"])
    }
  }

  @Test("a kernel that is stored in another order, or reversed, is scaled along its channels")
  func layouts() throws {
    let size = Size2D(3, 2)
    let cases: [(any Operator, [Layout], Set<Axis>)] = [
      (Convolution2D(outputChannels: 5, kernelSize: size), [.ohwi, .hwio], [.height]),
      (
        DepthwiseConvolution2D(kernelSize: size, depthMultiplier: 2),
        [.imhw, .hwim, try #require(Layout("M1HWI")), try #require(Layout("1HW(IM)"))],
        [.width]
      ),
      (TransposedConvolution2D(outputChannels: 5, kernelSize: size), [.ohwi, .hwoi], [.width]),
      (
        Convolution2D(outputChannels: 5, kernelSize: size), [.ohwi, .hwio], [.outputChannels]
      ),
      (
        DepthwiseConvolution2D(kernelSize: size, depthMultiplier: 2), [.imhw, .hwim],
        [.inputChannels, .multiplier]
      ),
    ]
    for (operation, layouts, axes) in cases {
      for layout in layouts {
        for reversed in [[], axes] {
          var builder = FoldingModel([5, 4, 3])
          try builder.add("sum", operation, layout: layout, reversed: reversed)
          try builder.add("norm", BatchNormalization())
          try expectFolded(try builder.model(), "norm")
        }
      }
    }
  }

  @Test("a Dense kernel behind a flatten is scaled whatever order its rows have")
  func flattened() throws {
    for name in ["(HWI)O", "(IHW)O", "O(IHW)"] {
      var builder = FoldingModel([3, 4, 2])
      try builder.add("flatten", Flatten())
      try builder.add("fc", Dense(units: 5), layout: Layout(name))
      try builder.add("norm", BatchNormalization())
      try expectFolded(try builder.model(), "norm")
    }
  }

  @Test("what NumPy folds in float64 is folded alike, bit for bit")
  func numpy() throws {
    let stored = try arrays(Fixtures.path("folding/folding.npz"))
    let size = Size2D(3, 3)
    let cases: [(String, any Operator, [Int])] = [
      (
        "convolution",
        Convolution2D(outputChannels: 5, kernelSize: Size2D(3, 2)), [5, 5, 4]
      ),
      (
        "plain", Convolution2D(outputChannels: 7, kernelSize: Size2D(1, 3)),
        [5, 5, 2]
      ),
      ("depthwise", DepthwiseConvolution2D(kernelSize: size, depthMultiplier: 2), [5, 5, 3]),
      (
        "transposed",
        TransposedConvolution2D(outputChannels: 5, kernelSize: Size2D(2, 3)),
        [5, 5, 4]
      ),
      ("dense", Dense(units: 7), [12]),
    ]
    for (name, operation, shape) in cases {
      let tensor = { (role: String) in
        stored["\(name).\(role)"].map { StoredTensor($0.values) }
      }
      var parameters: [ParameterRole: StoredTensor] = [.kernel: try #require(tensor("kernel"))]
      parameters[.bias] = tensor("bias")
      var statistics: [ParameterRole: StoredTensor] = [:]
      for role in [ParameterRole.gamma, .beta, .mean, .variance] {
        statistics[role] = tensor(role.rawValue)
      }
      let folding = try Model(
        name: name, inputs: [ModelInput(name: "x", shape: Shape(shape))],
        layers: [
          LayerDefinition(
            name: "sum", operation: operation, inputs: ["x"], parameters: parameters),
          LayerDefinition(
            name: "norm", operation: BatchNormalization(epsilon: 0.001), inputs: ["sum"],
            parameters: statistics),
        ], outputs: ["norm"]
      ).foldingBatchNormalization()
      let layer = try #require(folding.model.layer(named: "sum"))
      #expect(folding.model.outputs == ["sum"])
      #expect(
        try layer.parameter(.kernel)?.values() == stored["\(name).folded_kernel"]?.values, "\(name)"
      )
      #expect(
        try layer.parameter(.bias)?.values() == stored["\(name).folded_bias"]?.values, "\(name)")
    }
  }

  @Test("a kernel that is read in pieces is the kernel that is read at once")
  func pieces() throws {
    var builder = FoldingModel([5, 4, 3])
    try builder.add(
      "sum", DepthwiseConvolution2D(kernelSize: Size2D(3, 2), depthMultiplier: 2),
      layout: .imhw)
    try builder.add("norm", BatchNormalization())
    let folded = try builder.model().foldingBatchNormalization().model
    let source = try #require(folded.layer(named: "sum")?.parameter(.kernel)).stored.source
    let whole = try read(source, 0..<source.count)
    for start in 0...source.count {
      for end in start...source.count {
        #expect(try read(source, start..<end) == Array(whole[start..<end]))
      }
    }
  }

  private func read(_ source: any TensorSource, _ range: Range<Int>) throws -> [Float] {
    var values = [Float](repeating: .nan, count: range.count)
    try values.withUnsafeMutableBufferPointer { try source.read(range, into: $0) }
    return values
  }

  // MARK: - What stays

  private func expectKept(
    _ builder: FoldingModel, outputs: [String]? = nil, _ reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let model = try builder.model(outputs: outputs)
    let folding = try model.foldingBatchNormalization()
    #expect(folding.kept.map(\.reason) == [reason], sourceLocation: sourceLocation)
    #expect(folding.folded.isEmpty, sourceLocation: sourceLocation)
    #expect(folding.model.layers.map(\.name) == model.layers.map(\.name))
  }

  private let convolution = Convolution2D(outputChannels: 4, kernelSize: .one)

  @Test("a normalisation stays where the graph does not allow it to go")
  func obstacles() throws {
    var builder = FoldingModel([4, 4, 4])
    try builder.add("norm", BatchNormalization())
    try expectKept(builder, "reads the model's input 'x'; there is no kernel before it")
    try builder.add(
      "conv", Convolution2D(outputChannels: 3, kernelSize: .init(3, 3), padding: .same))
    try expectKept(
      builder,
      "reads the model's input 'x'; there is no kernel before it; 'conv' after it pads with zeros, "
        + "which are not normalised, so it cannot be folded there")

    builder = FoldingModel([4, 4, 4])
    try builder.add("pool", MaxPooling2D(poolSize: .init(2, 2)))
    try builder.add("norm", BatchNormalization())
    try builder.add("pad", ZeroPadding2D(top: 1, bottom: 1, left: 1, right: 1))
    try expectKept(
      builder,
      "reads 'pool' (MaxPooling2D), which has no kernel; 'pad' after it pads with zeros, which are "
        + "not normalised, so it cannot be folded there")

    builder = FoldingModel([4, 4, 4])
    try builder.add(
      "conv", Convolution2D(outputChannels: 4, kernelSize: .one, activation: .relu))
    try builder.add("norm", BatchNormalization())
    try expectKept(builder, "'conv' applies its activation before it")

    builder = FoldingModel([4, 4, 4])
    try builder.add("conv", convolution)
    try builder.add("norm", BatchNormalization())
    try builder.add("sum", Add(), "norm", "conv")
    try expectKept(builder, "'conv' is read by 'sum' too")

    builder = FoldingModel([4, 4, 4])
    try builder.add("conv", convolution)
    try builder.add("norm", BatchNormalization())
    try expectKept(builder, outputs: ["norm", "conv"], "'conv' is an output of the model")

    builder = FoldingModel([4, 4, 4])
    try builder.add("conv", convolution)
    try builder.add("norm", BatchNormalization())
    try builder.add("again", convolution, "norm", owner: "conv")
    try expectKept(builder, "'conv' shares its parameters with 'again'")

    builder = FoldingModel([4, 4, 4])
    try builder.add("conv", convolution)
    try builder.add("norm", BatchNormalization(axis: 1))
    try expectKept(builder, "normalises along axis 1, which is not the channel axis")

    builder = FoldingModel([4, 4, 4])
    try builder.add("conv", convolution)
    try builder.add("flatten", Flatten())
    try builder.add("norm", BatchNormalization())
    try expectKept(builder, "reads 'flatten' (Flatten), which has no kernel")
  }

  @Test("a factor that float32 cannot hold stays where it is")
  func notFinite() throws {
    var builder = FoldingModel([4, 4, 4])
    try builder.add("conv", convolution)
    try builder.add("norm", BatchNormalization())
    builder.layers[1].parameters[.gamma] = StoredTensor([1, .infinity, 1, 1])
    try expectKept(builder, "has factors or offsets that float32 cannot hold")
  }

  @Test("layers that do nothing in between are passed, and shared statistics find another owner")
  func passedAndShared() throws {
    var builder = FoldingModel([4, 4, 4])
    try builder.add("conv", convolution)
    try builder.add("dropout", Identity())
    try builder.add("norm", BatchNormalization())
    try builder.add("relu", Activation(.relu))
    try builder.add("other", BatchNormalization(), owner: "norm")
    let folding = try expectFolded(try builder.model(), "norm")
    #expect(folding.model.layer(named: "relu")?.inputs == ["dropout"])
    #expect(folding.model.layer(named: "other")?.parameters.first?.layer == "other")
    let folded = try #require(folding.folded.first)
    #expect(folded.operation == "BatchNormalization")
    #expect(folded.into == "conv")
    #expect(folded.roles == [.kernel, .bias])
    #expect(!folded.createsBias)
    #expect(folded.parameters == ["/norm/gamma", "/norm/beta", "/norm/mean", "/norm/variance"])
  }
}
