import Documents
import ModelIR
import Operators
import TestSupport
import Testing

/// The TensorFlow.js classes of layers, and layers that are rejected; `make interop` runs them.
@Suite struct TFJSDocumentTests {
  private func model(
    _ operation: any Operator, over shape: [Int?], parameters: [ParameterRole: [Float]] = [:]
  ) throws -> Model {
    try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape(shape))],
      layers: [
        LayerDefinition(
          name: "layer", operation: operation, inputs: ["x"],
          parameters: parameters.mapValues {
            StoredTensor(source: ArraySource($0), layout: nil, shape: nil, path: "p")
          })
      ], outputs: ["layer"])
  }

  /// The layers of a document without the input: their classes and settings.
  private func layers(_ model: Model) throws -> [(className: String, config: JSONValue)] {
    let list = try #require(TFJSDocument(model).config["config"]?["layers"]?.array)
    return list.dropFirst().compactMap { layer in
      guard let name = layer["class_name"]?.string, let config = layer["config"] else { return nil }
      return (name, config)
    }
  }

  /// An activation layer becomes a single layer: two would apply it twice.
  @Test(arguments: [
    (ActivationFunction.leakyReLU(negativeSlope: 0.25), "LeakyReLU", "alpha", 0.25),
    (.relu(maxValue: 4, negativeSlope: 0, threshold: 0), "ReLU", "max_value", 4),
    (.relu(maxValue: nil, negativeSlope: 0.5, threshold: 0), "LeakyReLU", "alpha", 0.5),
    (.threshold(threshold: 2, value: 0), "ThresholdedReLU", "theta", 2),
  ])
  func `an activation with a class of its own is one layer`(
    _ function: ActivationFunction, _ className: String, _ key: String, _ value: Double
  ) throws {
    let found = try layers(model(Activation(function), over: [3]))
    #expect(found.map(\.className) == [className])
    #expect(found[0].config[key]?.double == value)
    let behind = try layers(
      model(
        Dense(units: 2, activation: function), over: [3],
        parameters: [.kernel: [1, 2, 3, 4, 5, 6]]))
    #expect(behind.map(\.className) == ["Dense", className])
    #expect(behind[0].config["activation"]?.string == "linear")
    #expect(behind[1].config["name"]?.string == "layer_" + className.lowercased())
  }

  @Test func `a reshape says all sizes that are known`() throws {
    let known = try layers(model(Reshape(shape: [-1, 3]), over: [2, 6]))
    #expect(known[0].config["target_shape"] == .array([.number(4), .number(3)]))
    let open = try layers(model(Reshape(shape: [-1, 3]), over: [nil, 6]))
    #expect(open[0].config["target_shape"] == .array([.number(-1), .number(3)]))
  }

  @Test func `global pooling that keeps its axes gets a reshape behind it`() throws {
    let found = try layers(model(GlobalMaxPooling2D(keepDimensions: true), over: [4, 5, 3]))
    #expect(found.map(\.className) == ["GlobalMaxPooling2D", "Reshape"])
    #expect(found[1].config["target_shape"] == .array([.number(1), .number(1), .number(3)]))
    #expect(found[1].config["name"]?.string == "layer_reshape")
  }

  @Test func `a layer that no output depends on is left out, with its arrays`() throws {
    let model = try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape([3]))],
      layers: ["read", "unread"].map { name in
        LayerDefinition(
          name: name, operation: Dense(units: 2), inputs: ["x"],
          parameters: [
            .kernel: StoredTensor(
              source: ArraySource([1, 2, 3, 4, 5, 6]), layout: nil, shape: nil, path: "p")
          ])
      }, outputs: ["read"])
    #expect(try layers(model).count == 1)
    #expect(try TFJSDocument(model).weights.map(\.name) == ["read/kernel"])
  }

  private static let refusals: [(any Operator, [Int?], [ParameterRole: [Float]], String)] = [
    (Activation(.elu(alpha: 0.5)), [3], [:], activation("elu")),
    (
      Activation(.relu(maxValue: 4, negativeSlope: 0.5, threshold: 0)), [3], [:], activation("relu")
    ),
    (Activation(.softmax(axis: 0)), [3, 2], [:], activation("softmax")),
    (
      Convolution1D(outputChannels: 1, kernelSize: Size1D(2), padding: .causal), [4, 1],
      [.kernel: [1, 2]], layer("a causal convolution")
    ),
    (
      Convolution2D(outputChannels: 2, kernelSize: Size2D(1, 1), groups: 2), [4, 4, 2],
      [.kernel: [1, 2]], layer("a convolution of groups")
    ),
    (
      Convolution2D(
        outputChannels: 1, kernelSize: Size2D(1, 1), strides: Size2D(2, 2),
        dilation: Size2D(2, 2)), [4, 4, 1], [.kernel: [1]],
      layer("a convolution with both strides and dilation")
    ),
    (
      DepthwiseConvolution2D(
        kernelSize: Size2D(1, 2), depthMultiplier: 1, dilation: Size2D(1, 2)), [4, 4, 1],
      [.kernel: [1, 2]], layer("a dilated depthwise convolution")
    ),
    (
      BatchNormalization(axis: 0), [2, 3], [.mean: [1, 2], .variance: [1, 2]],
      layer("batch normalization of another axis than the last, or of more than three")
    ),
    (Subtract(), [3], [:], layer("Subtract")),
  ]

  private static func layer(_ what: String) -> String {
    "layer 'layer': TensorFlow.js has no layer for \(what), so no layers model can be written; choose another "
      + "target"
  }

  private static func activation(_ name: String) -> String {
    "layer 'layer': TensorFlow.js has no activation '\(name)' with these settings; choose another target"
  }

  @Test func `what TensorFlow.js computes otherwise, or not at all, is refused`() throws {
    for (operation, shape, parameters, message) in Self.refusals {
      let model =
        operation is Subtract
        ? try Model(
          name: "m", inputs: [ModelInput(name: "x", shape: Shape(shape))],
          layers: [LayerDefinition(name: "layer", operation: operation, inputs: ["x", "x"])],
          outputs: ["layer"])
        : try model(operation, over: shape, parameters: parameters)
      #expect(thrown { try TFJSDocument(model) }?.description == message)
    }
  }
}
