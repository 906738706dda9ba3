import Datasets
import Execution
import ModelIR
import Operators
import TestSupport
import Testing

/// NumPy computed the expected outputs; its script is stored beside the fixture.
///
/// All sums are exact, so both engines return the same bits.
@Suite("Half precision")
struct HalfPrecisionTests {
  private let stored: [String: NumpyArray]
  private let sigmoid = ActivationFunction.hardSigmoid(slope: 0.25)

  init() throws {
    stored = try arrays(Fixtures.path("precision/half.npz"))
  }

  private func array(_ name: String) throws -> NDArray<Float> {
    let array = try #require(stored[name], "\(name)")
    return NDArray(shape: array.shape, values: array.values)
  }

  /// A layer with the parameters that NumPy had.
  private func layer(
    _ name: String, _ operation: any Operator, _ inputs: [String], from fixture: String,
    _ roles: [ParameterRole] = []
  ) throws -> LayerDefinition {
    var parameters: [ParameterRole: StoredTensor] = [:]
    for role in roles { parameters[role] = StoredTensor(try array("\(fixture).\(role)").values) }
    return LayerDefinition(
      name: name, operation: operation, inputs: inputs, parameters: parameters)
  }

  /// Runs both engines and compares every array `fixture.y…` with the layer of that name.
  private func expect(
    _ fixture: String, _ layers: [LayerDefinition], x: String, other: String? = nil,
    outputs: [String]? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var inputs = ["x": try array(x)]
    inputs["other"] = try other.map(array)
    let model = try Model(
      name: "m",
      inputs: inputs.sorted { $0.key > $1.key }.map {
        ModelInput(name: $0.key, shape: Shape(Array($0.value.shape.dropFirst())))
      }, layers: layers, outputs: outputs ?? [try #require(layers.last?.name)])
    let names = stored.keys.filter { $0.hasPrefix(fixture + ".y") }.map {
      String($0.dropFirst(fixture.count + 1))
    }
    #expect(!names.isEmpty, sourceLocation: sourceLocation)
    for name in names {
      let expected = try array("\(fixture).\(name)").values
      // Kept layers must change nothing; without them steps do several layers at once.
      for kept in [Set<String>(), [name], Set(names)]
      where kept.contains(name) || model.outputs.contains(name) {
        for kind in EngineKind.allCases {
          let engine = try kind.engine(for: model, keeping: kept, precision: .float16)
          let found = try #require(try engine.run(inputs)[name]).values
          #expect(found == expected, "\(kind) \(name)", sourceLocation: sourceLocation)
        }
      }
    }
  }

  private func convolution(_ activation: ActivationFunction = .linear) throws -> LayerDefinition {
    try layer(
      "y0",
      Convolution2D(outputChannels: 4, kernelSize: Size2D(2, 3), activation: activation), ["x"],
      from: "shared", [.kernel, .bias])
  }

  private func activation(_ input: String, as name: String) throws -> LayerDefinition {
    try layer(name, Activation(sigmoid), [input], from: "")
  }

  @Test("an activation of the layer itself, or alone behind it, comes before the rounding")
  func activations() throws {
    try expect("own", [try convolution(sigmoid)], x: "shared.x")
    try expect("following", [try convolution(), try activation("y0", as: "y1")], x: "shared.x")
  }

  @Test("what is read twice, or is an output, is stored before an activation reads it")
  func storedFirst() throws {
    let layers = [try convolution(), try activation("y0", as: "y1")]
    try expect("twice", layers, x: "shared.x", outputs: ["y1", "y0"])
    try expect(
      "twice", layers + [try layer("z", Flatten(), ["y0"], from: "")], x: "shared.x",
      outputs: ["y1", "z"])
    // An activation that changes nothing stores what it reads.
    try expect(
      "twice",
      [
        try convolution(), try layer("z", Activation(.linear), ["y0"], from: ""),
        try activation("z", as: "y1"),
      ], x: "shared.x")
  }

  @Test("a normalisation stores on its own, and is not folded")
  func normalization() throws {
    let normalization = try layer(
      "y1", BatchNormalization(epsilon: 0), ["y0"], from: "normal",
      [.gamma, .beta, .mean, .variance])
    try expect(
      "normal", [try convolution(), normalization, try activation("y1", as: "y2")], x: "shared.x")
  }

  @Test("a sum reads what is stored")
  func sum() throws {
    try expect(
      "sum", [try convolution(), try layer("y1", Add(), ["y0", "other"], from: "")],
      x: "shared.x", other: "sum.x")
  }

  @Test("every layer with a kernel leaves the rounding to the activation behind it")
  func kernels() throws {
    let size = Size2D(2, 2)
    let cases: [(String, any Operator, [ParameterRole], String)] = [
      ("depthwise", DepthwiseConvolution2D(kernelSize: size), [.kernel, .bias], "shared.x"),
      (
        "transposed",
        TransposedConvolution2D(outputChannels: 4, kernelSize: size, strides: size),
        [.kernel, .bias], "shared.x"
      ),
      ("dense", Dense(units: 6), [.kernel, .bias], "dense.x"),
      (
        "separable", SeparableConvolution2D(outputChannels: 5, kernelSize: size),
        [.depthwise, .pointwise, .bias], "shared.x"
      ),
    ]
    for (name, operation, roles, x) in cases {
      try expect(
        name,
        [try layer("y0", operation, ["x"], from: name, roles), try activation("y0", as: "y1")],
        x: x)
    }
  }

  @Test("65,520 becomes infinite and stays so; 65,519 does not")
  func overflow() throws {
    let dense = try layer("y0", Dense(units: 2), ["x"], from: "overflow", [.kernel])
    let scale = LayerDefinition(
      name: "y1", operation: Scale(), inputs: ["y0"],
      parameters: [.gamma: StoredTensor([0.25, 0.25])])
    #expect(try array("overflow.y0").values.contains(.infinity))
    try expect("overflow", [dense, scale], x: "overflow.x")
  }

  @Test("the engines agree on random graphs", arguments: 0..<12)
  func agreement(seed: Int) throws {
    var builder = ModelBuilder(seed: UInt64(seed))
    var last = builder.input(Shape([6, 7, 4]))
    for _ in 0..<5 {
      let operations: [any Operator] = [
        Convolution2D(outputChannels: 4, kernelSize: Size2D(3, 3), padding: .same),
        DepthwiseConvolution2D(kernelSize: Size2D(3, 2), padding: .same),
        SeparableConvolution2D(outputChannels: 4, kernelSize: Size2D(3, 3), padding: .same),
        TransposedConvolution2D(outputChannels: 4, kernelSize: Size2D(2, 2), padding: .same),
        BatchNormalization(), Activation(.relu), Activation(.tanh), Dense(units: 4),
      ]
      last = try builder.add(builder.random.choose(operations), [last])
    }
    let model = try builder.model(outputs: [last])
    let inputs = randomInputs(of: model, batch: 3)
    let results = try EngineKind.allCases.map {
      try #require(try $0.engine(for: model, precision: .float16).run(inputs)[last]).values
    }
    // A sum beside a tie may be rounded to either side, 2^-11 of it, in each of five layers.
    #expect(relativeDifference(results[0], results[1]) < 5 * 0x1p-10)
    let single = try #require(try ReferenceEngine(model).run(inputs)[last]).values
    #expect(results[0] != single)
  }
}
