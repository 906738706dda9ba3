import ModelIR
import Operators
import Readers
import TestSupport
import Testing

@Suite("Settings of Keras layers")
struct KerasSettingTests {
  @Test(
    "hard_sigmoid is that of the Keras that wrote the configuration, stated or not",
    arguments: [
      (#""batch_shape": [null, 4]"#, "", 1.0 / 6), (#""batch_input_shape": [null, 4]"#, "", 0.2),
      (#""batch_input_shape": [null, 4]"#, #""keras_version": "2.15.0", "#, 0.2),
    ])
  func hardSigmoid(shape: String, version: String, slope: Double) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"class_name": "Sequential", \(version)"config": {"name": "net", "layers": [
        {"class_name": "InputLayer", "config": {"name": "image", \(shape)}},
        {"class_name": "Activation", "config": {"name": "gate", "activation": "hard_sigmoid"}}]}}
      """, to: "model.json")
    let source = try ReaderRegistry.read(
      Fixtures.path("keras/archive-weights.weights.h5"),
      ReaderOptions(architecture: Architecture(folder.file("model.json"))))
    let gate = try #require(source.model.layers.first?.operation as? Activation)
    #expect(gate.function == .hardSigmoid(slope: slope))
  }

  /// Reads a model of one layer without weights, after an input of 4 rows, 4 columns and 2 channels.
  private func read(
    _ className: String, _ settings: String, input: String = "[null, 4, 4, 2]"
  ) throws -> ReadSource {
    let folder = try TemporaryFolder()
    let separator = settings.isEmpty ? "" : ", "
    try folder.write(
      """
      {"class_name": "Functional", "config": {"name": "m", "layers": [
        {"class_name": "InputLayer", "config": {"name": "x", "batch_input_shape": \(input)}},
        {"class_name": "\(className)", "config": {"name": "layer"\(separator)\(settings)},
         "inbound_nodes": [[["x", 0, 0, {}]]]}],
        "input_layers": [["x", 0, 0]], "output_layers": [["layer", 0, 0]]}}
      """, to: "model.json")
    return try ReaderRegistry.read(
      Fixtures.path("keras/keras2-weights-only.h5"),
      ReaderOptions(architecture: Architecture(folder.file("model.json"))))
  }

  @Test(
    "a setting of the wrong type is an error that says where, what was found and what was expected",
    arguments: [
      ("ReLU", #""max_value": "6""#, #"max_value is "6", expected a number or null"#),
      ("ReLU", #""alpha": 0.5"#, "alpha is 0.5, expected 0"),
      ("ReLU", #""negative_slope": null"#, "negative_slope is null, expected a number"),
      ("ReLU", #""threshold": [0]"#, "threshold is [0], expected a number"),
      (
        "Permute", #""dims": [2, "1", 3]"#,
        #"dims is [2, "1", 3], expected each axis once, counted from 1"#
      ),
      (
        "Permute", #""dims": [2, 1, 3, "4"]"#,
        #"dims is [2, 1, 3, "4"], expected each axis once, counted from 1"#
      ),
      ("Permute", #""dims": null"#, "dims is null, expected each axis once, counted from 1"),
      ("Permute", "", "the setting dims is missing"),
      (
        "ZeroPadding2D", #""padding": [[1, "2", 3], [1, 1]]"#,
        #"padding is [[1, "2", 3], [1, 1]], expected [[top, bottom], [left, right]]"#
      ),
      (
        "Cropping2D", #""cropping": [[1, 0, null], [1, 0]]"#,
        "cropping is [[1, 0, null], [1, 0]], expected [[top, bottom], [left, right]]"
      ),
      (
        "PReLU", #""shared_axes": "all""#,
        #"shared_axes is "all", expected axes that are not the batch"#
      ),
      (
        "Rescaling", #""scale": [0.5, "1"]"#,
        #"scale is [0.5, "1"], expected a number, or one for each channel"#
      ),
      (
        "Rescaling", #""scale": 1, "offset": null"#,
        "offset is null, expected a number, or one for each channel"
      ),
      (
        "Reshape", #""target_shape": [4, "8"]"#,
        #"target_shape is [4, "8"], expected whole numbers"#
      ),
      (
        "UpSampling2D", #""interpolation": 1"#,
        "interpolation is 1, expected one of nearest, bilinear, bicubic, area, lanczos3, lanczos5, "
          + "gaussian, mitchellcubic"
      ),
      ("UpSampling2D", #""size": [2, 2.5]"#, "size is [2, 2.5], expected a whole number or two"),
      (
        "MaxPooling2D", #""strides": [1]"#,
        "strides is [1], expected a whole number or two or null"
      ),
      ("MaxPooling2D", #""pool_size": null"#, "pool_size is null, expected a whole number or two"),
      ("MaxPooling2D", #""padding": null"#, #"padding is null, expected "valid" or "same""#),
      ("MaxPooling2D", #""data_format": 1"#, #"data_format is 1, expected "channels_last""#),
      ("Conv2D", #""filters": "8", "kernel_size": 3"#, #"filters is "8", expected a whole number"#),
      ("Conv2D", #""kernel_size": 3"#, "the setting filters is missing"),
      (
        "Conv2D", #""filters": 8, "kernel_size": 3, "use_bias": "yes""#,
        #"use_bias is "yes", expected true or false"#
      ),
      ("Dense", #""units": 8, "use_bias": null"#, "use_bias is null, expected true or false"),
      ("Softmax", #""axis": "last""#, #"axis is "last", expected axes that are not the batch"#),
      ("GlobalMaxPooling2D", #""keepdims": 2"#, "keepdims is 2, expected true or false"),
      ("BatchNormalization", #""epsilon": "small""#, #"epsilon is "small", expected a number"#),
    ])
  func wrongType(className: String, settings: String, text: String) throws {
    let error = try #require(throws: NetconvError.self) { try read(className, settings) }
    #expect(error.kind == .badData)
    #expect(error.details == ["'layer' (\(className)), layer 2 of 2: \(text)"])
  }

  @Test(
    "a setting that is missing, or null where Keras allows it, has Keras's default",
    arguments: [
      ("ReLU", ""), ("ReLU", #""max_value": null"#), ("PReLU", #""shared_axes": null"#),
      ("MaxPooling2D", ""), ("MaxPooling2D", #""strides": null, "data_format": null"#),
      ("Activation", #""activation": null"#), ("Cropping2D", ""), ("ZeroPadding2D", ""),
      ("UpSampling2D", ""), ("Softmax", ""),
    ])
  func defaults(className: String, settings: String) throws {
    // A PReLU without weights says so; every other layer has none.
    do {
      let model = try read(className, settings).model
      #expect(model.layers.map(\.name) == ["layer"])
    } catch let error as NetconvError {
      #expect(className == "PReLU" && error.message.hasPrefix("the weight 'alpha' is missing"))
    }
  }

  @Test("a function that Keras 3 writes as an object is found by its name")
  func functionObjects() throws {
    func function(_ name: String, module: String) -> String {
      """
      "activation": {"module": "\(module)", "class_name": "function", "config": "\(name)",
        "registered_name": "function"}
      """
    }
    for module in ["builtins", "keras.activations"] {
      let model = try read("Activation", function("relu6", module: module)).model
      #expect(model.layers.count == 1)
    }
    let error = try #require(throws: NetconvError.self) {
      try read("Activation", function("Custom>own", module: "builtins"))
    }
    #expect(error.details.first?.contains("activation is {") == true)
  }

  @Test("arrays of NumPy, which Keras 3 writes as objects, count as lists")
  func numpyArrays() throws {
    let array = #"{"class_name": "__numpy__", "config": {"value": [0.5, 2], "dtype": "float32"}}"#
    let model = try read("Rescaling", "\"scale\": \(array)").model
    #expect(model.layers.count == 1)
  }

  @Test(
    "an entry of an input's shape that is no size is an error",
    arguments: [#"[null, "4", 4, 2]"#, "[null, 4, 4.5, 2]", "[null, 4, true, 2]", "[]", "4"])
  func inputShapes(shape: String) throws {
    let error = try #require(throws: NetconvError.self) { try read("ReLU", "", input: shape) }
    #expect(error.layer == "x")
    #expect(
      error.message
        == "batch_input_shape is \(shape), expected a list of sizes, the batch first, each a whole "
        + "number or null")
  }
}
