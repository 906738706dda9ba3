import ModelIR
import Operators
import Readers
import TestSupport
import Testing

/// ``KerasPredictionTests`` checks the predictions of the models with all fixtures.
@Suite("Checkpoints of Keras 1")
struct Keras1Tests {
  private func read(_ name: String) throws -> ReadSource {
    try ReaderRegistry.read(Fixtures.path("keras/\(name).h5"))
  }

  private func read(architecture: String) throws -> ReadSource {
    let folder = try TemporaryFolder()
    try folder.write(architecture, to: "model.json")
    return try ReaderRegistry.read(
      Fixtures.path("keras/keras2-weights-only.h5"),
      ReaderOptions(architecture: Architecture(folder.file("model.json"))))
  }

  @Test("layers have the operators of today and the names of the file")
  func functional() throws {
    let source = try read("keras1-functional")
    #expect(source.framework == "keras 1.2.2")
    let layers = try source.model.layers.map { "\($0.name) \(type(of: $0.operation).name)" }
    #expect(layers.contains("atrousconvolution2d_1 Convolution2D"))
    #expect(layers.contains("separableconvolution2d_1 SeparableConvolution2D"))
    #expect(layers.contains("sequential_1/a Convolution2D"))
    for (number, name) in ["Add", "Multiply", "Average", "Maximum", "Concatenate"].enumerated() {
      #expect(layers.contains("merge_\(number + 1) \(name)"))
    }
  }

  @Test("of the same names of layers in a model, each finds its own weights")
  func nestedNames() throws {
    // `a_b_gamma` is no weight of the layer `a`.
    let tensors = try read("keras1-functional").model.tensors
    #expect(
      tensors.filter { $0.layer == "sequential_1/a" }.map(\.stored.path) == [
        "/model_weights/sequential_1/a_W:0", "/model_weights/sequential_1/a_b:0",
      ])
    #expect(tensors.filter { $0.layer == "sequential_1/a_b" }.count == 4)
  }

  @Test(
    "kernels of Theano are turned, those of TensorFlow are not",
    arguments: [
      ("keras1-sequential", false), ("keras1-theano", true), ("keras2-theano", true),
      ("keras1-channels-first", false), ("keras1-theano-channels-first", true),
      ("keras2-conv-same", false), ("keras3-conv-same", false),
    ])
  func theano(fixture: String, isTurned: Bool) throws {
    for tensor in try read(fixture).model.tensors {
      let isConvolution = tensor.spec.kind == .convolution
      #expect(tensor.stored.reversed == (isTurned && isConvolution ? [.height, .width] : []))
    }
  }

  @Test("a version that is not stated is known by the settings")
  func unstatedVersion() throws {
    let model = try read(
      architecture: """
        {"class_name": "Sequential", "config": [
          {"class_name": "MaxPooling2D", "config": {"name": "pool", "pool_size": [2, 2],
           "strides": [2, 1], "border_mode": "same", "dim_ordering": "tf",
           "batch_input_shape": [null, 5, 5, 2]}},
          {"class_name": "ZeroPadding2D", "config": {"name": "pad", "dim_ordering": "tf",
           "padding": {"top_pad": 1, "left_pad": 2}}}]}
        """
    ).model
    #expect(model.shape(of: "pool") == Shape([3, 5, 2]))
    #expect(model.shape(of: "pad") == Shape([4, 7, 2]))
  }

  @Test("recurrent layers tell the version too, and Embedding keeps its setting's name")
  func unstatedVersionOfSequences() throws {
    let layers = try read("keras1-words").model.layers.map(\.operation)
    #expect(layers.contains { $0.isEqual(to: Embedding(count: 11, outputChannels: 4)) })
    let error = try #require(throws: NetconvError.self) {
      try read(
        architecture: """
          {"class_name": "Sequential", "config": [
            {"class_name": "GRU", "config": {"name": "gru", "output_dim": 4,
             "activation": "tanh", "inner_activation": "nonsense",
             "batch_input_shape": [null, 5, 2]}}]}
          """)
    }
    #expect(error.details.joined().contains(#"activation is "nonsense""#))
  }

  @Test("the gates of a layer are put side by side, and their weights are found in a model too")
  func gates() throws {
    let tensors = try read("keras1-recurrent").model.tensors
    func shapes(_ layer: String) -> [[Int]] {
      tensors.filter { $0.layer == layer }.map(\.storedShape)
    }
    #expect(shapes("lstm_1") == [[3, 16], [4, 16], [16]])
    #expect(shapes("lstm_3") == [[4, 16], [4, 16], [16]])
    #expect(shapes("sequential_1/gru_9") == [[4, 9], [3, 9], [9]])
    #expect(shapes("bidirectional_2/backward") == [[3, 12], [4, 12], [12]])
  }

  @Test(
    "what netconv cannot compute is named",
    arguments: [
      (
        #""class_name": "BatchNormalization", "config": {"name": "layer", "mode": 1"#,
        "'layer' (BatchNormalization), layer 1 of 1: mode is 1, expected 0"
      ),
      (
        #""class_name": "Merge", "config": {"name": "layer", "mode": "cos""#,
        "'layer' (Merge), layer 1 of 1"
      ),
      (
        #""class_name": "MaxPooling2D", "config": {"name": "layer", "border_mode": "full""#,
        #"'layer' (MaxPooling2D), layer 1 of 1: padding is "full", expected "valid" or "same""#
      ),
    ])
  func refusals(layer: String, message: String) throws {
    let error = try #require(throws: NetconvError.self) {
      try read(
        architecture: """
          {"class_name": "Sequential", "keras_version": "1.2.2", "config": [
            {\(layer), "batch_input_shape": [null, 4, 4, 2]}}]}
          """)
    }
    #expect(error.details == [message])
  }
}
