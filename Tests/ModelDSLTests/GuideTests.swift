import ModelDSL
import ModelIR
import NetconvKit
import Testing

/// The examples of Forge's guide, with this language's names.
@Suite struct GuideTests {
  @Test func `the network of the introduction, step by step`() throws {
    let input = Input()
    let layer1 = Resize(width: 28, height: 28)
    let layer2 = Convolution(kernel: (5, 5), channels: 20, activation: .relu, name: "conv1")
    let layer3 = Dense(neurons: 10, name: "dense1")
    let layer4 = Softmax()

    var x: Node
    x = (input --> layer1)
    x = (x --> layer2)
    x = (x --> layer3)
    x = (x --> layer4)

    let model = try Model(input: input, output: x, parameters: anything)
    #expect(
      model.layers.map(\.name) == ["resize_1", "conv1", "flatten_1", "dense1", "softmax_1"])
    #expect(
      model.layers.map(\.outputShape.description) == [
        "(28, 28, 3)", "(28, 28, 20)", "(15680)", "(10)", "(10)",
      ])
    #expect(model.inputs[0].shape == Shape([nil, nil, 3]))
  }

  @Test func `the network of the introduction, in one go, runs on both engines`() throws {
    let input = Input()
    let output =
      input
      --> Resize(width: 28, height: 28)
      --> Convolution(kernel: (5, 5), channels: 20, activation: .relu, name: "conv1")
      --> Dense(neurons: 10, name: "dense1")
      --> Softmax()
    let model = try Model(input: input, output: output) { name, count, role in
      StoredTensor(numbers(count).map { $0 / 50 })
    }
    let image = NDArray<Float>(shape: [1, 40, 30, 3], values: numbers(40 * 30 * 3))
    let fast = try EngineKind.fast.engine(for: model).run(["input": image])
    let reference = try EngineKind.reference.engine(for: model).run(["input": image])
    let (a, b) = (try #require(fast[output.name]), try #require(reference[output.name]))
    #expect(a.shape == [1, 10])
    #expect(zip(a.values, b.values).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(abs(b.values.reduce(0, +) - 1) < 1e-6)
  }

  @Test func `an input of fixed shape takes only that`() throws {
    let input = Input(width: 100, height: 50, channels: 3)
    let output = input --> Convolution(kernel: (3, 1), channels: 2, name: "conv1")
    let model = try Model(input: input, output: output, parameters: anything)
    #expect(model.inputs[0].shape == Shape([50, 100, 3]))
    let wrong = try NDArray<Float>(shape: [1, 100, 50, 3])
    #expect(throws: NetconvError.self) {
      try EngineKind.fast.engine(for: model).run(["input": wrong])
    }
  }

  @Test func `an input of unknown shape must be resized before a dense layer`() {
    let input = Input(channels: 3)
    let output = input --> Dense(neurons: 10, name: "dense1")
    #expect(
      problem { () throws(NetconvError) in
        try Model(input: input, output: output, parameters: anything)
      }
        == "layer 'dense1': the input has shape (None); this layer needs every size that it mixes to be "
        + "known, so fix the size of the model's input; it reads (None, None, 3)")
  }

  @Test func `a node that was kept can be read after a run`() throws {
    let resize = Resize(width: 6, height: 4)
    let input = Input(name: "image")
    let conv1Output =
      input
      --> resize
      --> Convolution(kernel: (3, 5), channels: 2, activation: .relu, name: "conv1")
    let output = conv1Output --> Dense(neurons: 3, name: "dense1") --> Softmax()
    let model = try Model(input: input, output: output, parameters: anything)
    let image = NDArray<Float>(shape: [2, 4, 6, 3], values: numbers(2 * 4 * 6 * 3))
    for engine in EngineKind.allCases {
      let results = try engine.engine(for: model, keeping: [conv1Output.name])
        .run(["image": image])
      #expect(results[conv1Output.name]?.shape == [2, 4, 6, 2])
      #expect(results[output.name]?.shape == [2, 3])
      #expect(results.count == 2)
    }
  }

  @Test func `an Inception module, with a pooling that is used elsewhere too`() throws {
    let input = Input(width: 35, height: 33, channels: 192)
    let initial = input --> Activation(.relu)
    let avgPool = AveragePooling(kernel: (3, 3), stride: (1, 1), padding: .same)
    let mixed0 = Concatenate([
      initial --> Convolution(kernel: (1, 1), channels: 64, activation: .relu, name: "mixed_conv"),
      initial
        --> Convolution(kernel: (1, 1), channels: 48, activation: .relu, name: "mixed_tower_conv")
        --> Convolution(
          kernel: (5, 5), channels: 64, activation: .relu, name: "mixed_tower_conv_1"),
      initial
        --> Convolution(
          kernel: (1, 1), channels: 64, activation: .relu, name: "mixed_tower_1_conv")
        --> Convolution(
          kernel: (3, 3), channels: 96, activation: .relu, name: "mixed_tower_1_conv_1")
        --> Convolution(
          kernel: (3, 3), channels: 96, activation: .relu, name: "mixed_tower_1_conv_2"),
      initial --> avgPool
        --> Convolution(
          kernel: (1, 1), channels: 32, activation: .relu, name: "mixed_tower_2_conv"),
    ])
    let output = mixed0 --> avgPool
    let model = try Model(input: input, output: output, parameters: anything)
    #expect(model.shape(of: "concat_1") == Shape([33, 35, 256]))
    #expect(model.layer(named: "pool_2")?.inputs == ["concat_1"])
    #expect(output.name == "pool_2")
  }

  @Test func `parameters are asked for by name, count and role, weights and biases`() throws {
    let input = Input(width: 8, height: 6, channels: 2)
    let output =
      input
      --> Convolution(kernel: (5, 3), channels: 4, activation: .relu, name: "conv1")
      --> Dense(neurons: 10, name: "dense1")
    var asked: [String] = []
    _ = try Model(input: input, output: output) { name, count, role in
      asked.append("\(name)_\(role.fileSuffix).bin \(count)")
      return StoredTensor(numbers(count))
    }
    #expect(
      asked == ["conv1_W.bin 120", "conv1_b.bin 4", "dense1_W.bin 1920", "dense1_b.bin 10"])
  }

  @Test func `the model's summary lists the layers with their sizes`() throws {
    let input = Input(width: 8, height: 6, channels: 2, name: "image")
    let output =
      input
      --> Convolution(kernel: (5, 3), channels: 4, activation: .relu, name: "conv1")
      --> Dense(neurons: 10, name: "dense1")
      --> Softmax()
    let model = try Model(input: input, output: output, parameters: anything)
    #expect(
      model.summary() == """
        layer      type           output shape     parameters  reads
        ----------------------------------------------------------------
        image      Input          (None, 6, 8, 2)           0
        conv1      Convolution2D  (None, 6, 8, 4)         124  image
        flatten_1  Flatten        (None, 192)               0  conv1
        dense1     Dense          (None, 10)            1,930  flatten_1
        softmax_1  Activation     (None, 10)                0  dense1

        4 layers behind 1 input, 2,054 parameters in 4 tensors; outputs: softmax_1
        """)
  }

  @Test func `the five best classes have labels`() {
    let probabilities = NDArray<Float>(
      shape: [1, 6], values: [0.1, 0.25, 0.05, 0.25, 0.3, 0.05])
    let labels = ["ant", "bee", "cat", "dog", "elk", "fox"]
    #expect(
      probabilities.top(5, labels: labels).first?.map(\.label) == [
        "elk", "bee", "dog", "ant", "cat",
      ])
    #expect(probabilities.top(2, labels: labels).first?.map(\.value) == [0.3, 0.25])
    #expect(probabilities.top(2).first?.map(\.index) == [4, 1])
    #expect(probabilities.top(9).first?.count == 6)
  }
}
