import Documents
import Files
import Foundation
import ModelIR
import Operators
import TestSupport
import Testing
import Writers

/// The inputs of `tf.loadLayersModel`: the text of `model.json`, and the bytes of the shards.
@Suite struct TFJSFormatTests {
  private let folder: TemporaryFolder
  private var output: String { folder.file("out") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A dense layer called `name`, from `inputs` values to `units`.
  private func dense(
    _ inputs: Int, _ units: Int, activation: ActivationFunction = .relu, name: String = "fc",
    bias: [Float]? = nil
  ) throws -> Model {
    var parameters: [ParameterRole: StoredTensor] = [
      .kernel: StoredTensor(
        source: ArraySource(ramp(inputs * units)), layout: nil, shape: nil, path: "W")
    ]
    parameters[.bias] = bias.map {
      StoredTensor(source: ArraySource($0), layout: nil, shape: nil, path: "b")
    }
    return try Model(
      name: "small", inputs: [ModelInput(name: "x", shape: Shape([inputs]))],
      layers: [
        LayerDefinition(
          name: name, operation: Dense(units: units, activation: activation), inputs: ["x"],
          parameters: parameters)
      ], outputs: [name])
  }

  @Test func `a small model is this text and these bytes`() throws {
    let model = try dense(3, 2, bias: [-1, 0.5])
    try write(model, to: output, formats: [.archive, .tfjs])
    #expect(
      try folder.files() == [
        "out/group1-shard1of1.bin", "out/manifest.json", "out/model.json", "out/model.netpack",
      ])
    #expect(
      try folder.bytes("out/group1-shard1of1.bin")
        == littleEndian([0, 1, 2, 3, 4, 5]) + littleEndian([-1, 0.5]))
    let text = try String(decoding: folder.bytes("out/model.json"), as: UTF8.self)
    #expect(
      text == """
        {
          "convertedBy": "netconv",
          "format": "layers-model",
          "generatedBy": "keras v2.15.0",
          "modelTopology": {
            "backend": "tensorflow",
            "keras_version": "2.15.0",
            "model_config": {
              "class_name": "Model",
              "config": {
                "input_layers": [
                  ["x", 0, 0]
                ],
                "layers": [
                  {
                    "class_name": "InputLayer",
                    "config": {
                      "batch_input_shape": [null, 3],
                      "dtype": "float32",
                      "name": "x",
                      "sparse": false
                    },
                    "inbound_nodes": [],
                    "name": "x"
                  },
                  {
                    "class_name": "Dense",
                    "config": {
                      "activation": "relu",
                      "dtype": "float32",
                      "name": "fc",
                      "trainable": true,
                      "units": 2,
                      "use_bias": true
                    },
                    "inbound_nodes": [
                      [
                        [
                          "x",
                          0,
                          0,
                          {}
                        ]
                      ]
                    ],
                    "name": "fc"
                  }
                ],
                "name": "small",
                "output_layers": [
                  ["fc", 0, 0]
                ]
              }
            }
          },
          "weightsManifest": [
            {
              "paths": ["group1-shard1of1.bin"],
              "weights": [
                {
                  "dtype": "float32",
                  "name": "fc/kernel",
                  "shape": [3, 2]
                },
                {
                  "dtype": "float32",
                  "name": "fc/bias",
                  "shape": [2]
                }
              ]
            }
          ]
        }

        """)
  }

  @Test func `a tensor begins in one shard and ends in the next`() throws {
    // The kernel is 4 KiB longer than a shard.
    let kernel = ramp(1025 * 1024)
    let bias = [Float](repeating: -3, count: 1024)
    try write(try dense(1025, 1024, bias: bias), to: output, formats: [.tfjs, .archive])
    let values = littleEndian(kernel + bias)
    #expect(try folder.bytes("out/group1-shard1of2.bin").elementsEqual(values.prefix(4 << 20)))
    #expect(try folder.bytes("out/group1-shard2of2.bin").elementsEqual(values.dropFirst(4 << 20)))
    #expect(values.count == 4 << 20 + 8 << 10)
    let text = try String(decoding: folder.bytes("out/model.json"), as: UTF8.self)
    #expect(text.contains(#""paths": ["group1-shard1of2.bin", "group1-shard2of2.bin"]"#))
  }

  @Test func `values that fill a shard make no other`() throws {
    try write(try dense(1024, 1024), to: output, formats: [.tfjs, .archive])
    #expect(try folder.bytes("out/group1-shard1of1.bin").count == 4 << 20)
    #expect(try folder.files().filter { $0.contains("shard") }.count == 1)
  }

  @Test func `values that are not all there leave nothing`() throws {
    let model = try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape([4]))],
      layers: [
        LayerDefinition(
          name: "fc", operation: Dense(units: 5), inputs: ["x"],
          parameters: [
            .kernel: StoredTensor(
              source: FailingSource(count: 20, failure: NetconvError(.inputOutput, "is gone")),
              layout: nil, shape: nil, path: "W")
          ])
      ], outputs: ["fc"])
    #expect(
      thrown { try write(model, to: output, formats: [.tfjs, .archive]) }?.description
        == "layer 'fc', tensor 'kernel': is gone")
    #expect(try Directory.names(in: folder.path).isEmpty)
  }

  @Test(arguments: [
    ("../../evil", "layer.._.._evil"), ("/etc/passwd", "layer_etc_passwd"), ("_", "layer_"),
    ("a\u{0}b", "a_b"), ("naïve 😀", "na_ve__"), ("fc-1.x", "fc-1.x"),
  ])
  func `a name that TensorFlow.js refuses is changed`(_ name: String, _ expected: String) throws {
    #expect(
      try TFJSDocument(dense(3, 2, name: name)).weights.map(\.name) == [expected + "/kernel"])
  }

  @Test func `names that become the same are told apart`() throws {
    let layers = ["a/b", "a b", "a_b"].map { name in
      LayerDefinition(
        name: name, operation: Dense(units: 2), inputs: ["x"],
        parameters: [
          .kernel: StoredTensor(source: ArraySource(ramp(6)), layout: nil, shape: nil, path: "W")
        ])
    }
    let model = try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape([3]))], layers: layers,
      outputs: layers.map(\.name))
    #expect(
      try TFJSDocument(model).weights.map(\.name) == ["a_b/kernel", "a_b_1/kernel", "a_b_2/kernel"])
  }
}
