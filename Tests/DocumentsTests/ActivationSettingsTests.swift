import Documents
import ModelIR
import Operators
import Testing

/// Activations in the documents of other frameworks: a name implies its framework's settings.
@Suite struct ActivationSettingsTests {
  /// Each function with the settings that its names imply, and with others.
  static let functions: [ActivationFunction] = {
    var functions: [ActivationFunction] = ActivationFunction.plain.values.sorted {
      "\($0)" < "\($1)"
    }
    for slope in [0, 0.1] {
      for threshold in [0, 0.3, -0.5] {
        for limit in [nil, 0.5, 6] {
          functions.append(.relu(maxValue: limit, negativeSlope: slope, threshold: threshold))
        }
      }
    }
    functions += [0.01, 0.2].map { .leakyReLU(negativeSlope: $0) }
    functions += [0.5, 1.5].map { .elu(alpha: $0) }
    functions += [0.2, 0.25].map { .hardSigmoid(slope: $0) }
    functions += [0, 1, [0, 1]].map { .softmax(axis: $0) }
    functions += [0, 1].map { .logSoftmax(axis: $0) }
    functions += [
      .gelu(approximate: true), .celu(alpha: 2), .hardShrink(threshold: 0.25),
      .softShrink(threshold: 0.25), .squareplus(b: 2), .threshold(threshold: 2, value: 0),
      .threshold(threshold: 0, value: 20),
    ]
    var seen: [ActivationFunction] = []
    for function in functions where !seen.contains(function) { seen.append(function) }
    return seen
  }()

  private func model(_ operation: any Operator) throws -> Model {
    try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape([5, 3]))],
      layers: [
        LayerDefinition(
          name: "sum", operation: Convolution1D(outputChannels: 3, kernelSize: Size1D(1)),
          inputs: ["x"],
          parameters: [.kernel: stored(9)]),
        LayerDefinition(
          name: "y", operation: operation, inputs: ["sum"],
          parameters: operation is Activation ? [:] : [.kernel: stored(9)]),
      ], outputs: ["y"])
  }

  private func stored(_ count: Int) -> StoredTensor {
    StoredTensor(
      source: ArraySource([Float](repeating: 1, count: count)), layout: nil, shape: nil, path: "p")
  }

  /// Source: RTNeural/activation/activation.h and model_loader.h, `createActivation`.
  private static func nameInRTNeural(_ function: ActivationFunction) -> String? {
    switch function {
    case .linear: ""
    case .tanh: "tanh"
    case .sigmoid: "sigmoid"
    case .relu: function == .relu ? "relu" : nil
    case .elu: function == .elu(alpha: 1) ? "elu" : nil
    case .softmax(let axis): [[-1], [1]].contains(axis.axes) ? "softmax" : nil
    default: nil
    }
  }

  @Test func `every function is there, with more than one setting if it has any`() {
    let names = Set(Self.functions.map { "\($0)".prefix { $0 != "(" } })
    #expect(names.count == 27)
    #expect(Self.functions.count == 61)
  }

  @Test(arguments: functions)
  func `RTNeural's name of an activation is written for its own settings alone`(
    _ function: ActivationFunction
  ) throws {
    let expected = Self.nameInRTNeural(function)
    var operations: [any Operator] = [
      Activation(function),
      Convolution1D(outputChannels: 3, kernelSize: Size1D(1), activation: function),
    ]
    // A step has one axis.
    if [.softmax(axis: 0), .softmax(axis: 1), .softmax(axis: [0, 1])].contains(function) == false,
      function != .logSoftmax(axis: 1)
    {
      operations.append(TimeDistributed(Dense(units: 3, activation: function)))
    }
    for operation in operations {
      let model = try model(operation)
      guard let expected else {
        let error = #expect(throws: NetconvError.self) { try RTNeuralDocument(model) }
        #expect(error?.kind == .badData && error?.layer == "y")
        continue
      }
      let layers = try RTNeuralDocument(model).layers
      // What does nothing is left out.
      #expect(layers.count == (expected.isEmpty && operation is Activation ? 1 : 2))
      #expect(layers.last?.activation == expected)
    }
  }

  /// An activation in TensorFlow.js: a name, or a class with its settings.
  ///
  /// Source: tensorflow/tfjs, tfjs-layers/src/activations.ts and layers/advanced_activations.ts.
  private static func inTFJS(
    _ function: ActivationFunction
  ) -> (className: String, key: String, value: JSONValue)? {
    let name = { (name: String) in ("Activation", "activation", JSONValue.string(name)) }
    switch function {
    case .linear: return name("linear")
    case .relu(nil, 0, 0): return name("relu")
    case .relu(6, 0, 0): return name("relu6")
    case .relu(let limit?, 0, 0): return ("ReLU", "max_value", .number(limit))
    case .relu(nil, let slope, 0): return ("LeakyReLU", "alpha", .number(slope))
    case .leakyReLU(let slope): return ("LeakyReLU", "alpha", .number(slope))
    case .elu(1): return name("elu")
    case .selu: return name("selu")
    case .sigmoid: return name("sigmoid")
    case .hardSigmoid(0.2): return name("hard_sigmoid")
    case .tanh: return name("tanh")
    case .softplus: return name("softplus")
    case .softsign: return name("softsign")
    case .silu: return name("swish")
    case .softmax(let axis) where [[-1], [1]].contains(axis.axes): return name("softmax")
    case .logSoftmax(let axis) where [[-1], [1]].contains(axis.axes): return name("log_softmax")
    case .threshold(let threshold, 0): return ("ThresholdedReLU", "theta", .number(threshold))
    default: return nil
    }
  }

  @Test(arguments: functions)
  func `TensorFlow.js is told an activation with its settings`(
    _ function: ActivationFunction
  ) throws {
    let expected = Self.inTFJS(function)
    for operation: any Operator in [
      Activation(function),
      Convolution1D(outputChannels: 3, kernelSize: Size1D(1), activation: function),
    ] {
      let model = try model(operation)
      guard let expected else {
        #expect(throws: NetconvError.self) { try TFJSDocument(model) }
        continue
      }
      let list = try TFJSDocument(model).config["config"]?["layers"]?.array
      let last = try #require(list?.last)
      let isSetting = expected.className == "Activation" && !(operation is Activation)
      #expect(last["class_name"]?.string == (isSetting ? "Conv1D" : expected.className))
      #expect(last["config"]?[expected.key] == expected.value)
    }
  }

  @Test(arguments: functions)
  func `netconv's own document keeps every setting`(_ function: ActivationFunction) throws {
    let bytes = try JSONDocument.encode(function)
    #expect(try JSONDocument.decode(ActivationFunction.self, from: bytes) == function)
  }
}
