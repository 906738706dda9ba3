import Foundation
import ModelIR
import NetconvKit
import Readers
import TestSupport
import Testing

/// The files in `Emitted` are the output of `netconv emit`, compiled here.
@Suite struct EmitTests {
  struct Emitted: Sendable, CustomTestStringConvertible {
    let source: String
    let model: @Sendable (ParameterLoader) throws(NetconvError) -> Model

    var testDescription: String { source.split(separator: "/").last.map(String.init) ?? source }
    var file: String {
      let stem = testDescription.prefix { $0 != "." }.replacing("-", with: "_")
      return "\(Fixtures.repository)/Tests/ModelDSLTests/Emitted/\(stem).swift"
    }
  }

  static let emitted: [Emitted] = [
    Emitted(source: Fixtures.sample("lenet-blobs"), model: lenet_blobs),
    Emitted(source: Fixtures.sample("deep-mnist/deep-mnist.h5"), model: deep_mnist),
    Emitted(source: fixture("keras2-depthwise"), model: keras2_depthwise),
    Emitted(source: fixture("keras2-pooling"), model: keras2_pooling),
    Emitted(source: fixture("keras2-shared-layer"), model: keras2_shared_layer),
    Emitted(source: fixture("keras2-two-inputs"), model: keras2_two_inputs),
    Emitted(
      source: fixture("keras3-activation-arguments"), model: keras3_activation_arguments),
    Emitted(source: fixture("keras3-activation-layers"), model: keras3_activation_layers),
    Emitted(source: fixture("keras3-batch-norm"), model: keras3_batch_norm),
    Emitted(source: fixture("keras3-concatenate"), model: keras3_concatenate),
    Emitted(source: fixture("keras3-conv-groups"), model: keras3_conv_groups),
    Emitted(source: fixture("keras3-global-pooling"), model: keras3_global_pooling),
    Emitted(source: fixture("keras3-residual"), model: keras3_residual),
    Emitted(source: fixture("keras2-conv1d-others"), model: keras2_conv1d_others),
    Emitted(source: fixture("keras2-masks-merged"), model: keras2_masks_merged),
    Emitted(source: fixture("keras2-merges"), model: keras2_merges),
    Emitted(source: fixture("keras2-separable"), model: keras2_separable),
    Emitted(source: fixture("keras2-transposed"), model: keras2_transposed),
    Emitted(source: fixture("keras3-bidirectional"), model: keras3_bidirectional),
    Emitted(source: fixture("keras3-cells"), model: keras3_cells),
    Emitted(source: fixture("keras3-conv1d"), model: keras3_conv1d),
    Emitted(source: fixture("keras3-conv1d-classifier"), model: keras3_conv1d_classifier),
    Emitted(source: fixture("keras3-dense-rank3"), model: keras3_dense_rank3),
    Emitted(source: fixture("keras3-embedding"), model: keras3_embedding),
    Emitted(source: fixture("keras3-masks"), model: keras3_masks),
    Emitted(source: fixture("keras3-masks-sequential"), model: keras3_masks_sequential),
    Emitted(source: fixture("keras3-nested-recurrent"), model: keras3_nested_recurrent),
    Emitted(source: fixture("keras3-open-length"), model: keras3_open_length),
    Emitted(source: fixture("keras3-pooling1d"), model: keras3_pooling1d),
    Emitted(source: fixture("keras3-recurrent"), model: keras3_recurrent),
    Emitted(source: fixture("keras3-recurrent-states"), model: keras3_recurrent_states),
    Emitted(source: fixture("keras3-reshaping"), model: keras3_reshaping),
    Emitted(source: fixture("keras3-reshaping1d"), model: keras3_reshaping1d),
    Emitted(source: fixture("keras3-stateful"), model: keras3_stateful),
    Emitted(source: fixture("keras3-stateful-films"), model: keras3_stateful_films),
    Emitted(source: fixture("keras3-conv-lstm"), model: keras3_conv_lstm),
    Emitted(source: fixture("keras3-adaptive-pooling"), model: keras3_adaptive_pooling),
    Emitted(source: fixture("keras2-local-1"), model: keras2_local_1),
    Emitted(source: fixture("keras3-time-distributed"), model: keras3_time_distributed),
  ]

  private static func fixture(_ name: String) -> String { Fixtures.path("keras/\(name).h5") }

  @Test(arguments: emitted)
  func `a model that was read is written as source`(_ emitted: Emitted) throws {
    #expect(
      try Netconv.emit(emitted.source) == String(contentsOfFile: emitted.file, encoding: .utf8))
  }

  @Test(arguments: emitted)
  func `compiled, it is the same model with the same outputs`(_ emitted: Emitted) throws {
    let read = try ReaderRegistry.read(emitted.source).model
    let built = try emitted.model(try .model(emitted.source))
    #expect(try Netconv.contentHash(of: built) == Netconv.contentHash(of: read))
    var inputs: [String: NDArray<Float>] = [:]
    for input in read.inputs {
      let shape = [2] + input.shape.dimensions.map { $0 ?? 7 }
      inputs[input.name] = NDArray(shape: shape, values: numbers(shape.reduce(1, *)))
    }
    let expected = try EngineKind.fast.engine(for: read).run(inputs)
    #expect(expected.count == read.outputs.count)
    #expect(try EngineKind.fast.engine(for: built).run(inputs) == expected)
  }

  /// The inputs include token ids and masks, which arbitrary numbers would not be.
  @Test(arguments: emitted)
  func `compiled, it gives what Keras has predicted`(_ emitted: Emitted) throws {
    let path = emitted.source.replacing(".h5", with: ".npz")
    guard path != emitted.source, FileManager.default.fileExists(atPath: path) else { return }
    let stored = try arrays(path)
    let built = try emitted.model(try .model(emitted.source))
    var inputs: [String: NDArray<Float>] = [:]
    for input in built.inputs {
      let array = try #require(stored[input.name] ?? stored["input"])
      inputs[input.name] = NDArray(shape: array.shape, values: array.values)
    }
    let outputs = try EngineKind.fast.engine(for: built).run(inputs)
    for name in built.outputs {
      let found = try #require(outputs[name])
      // 1e-5 of the largest output, as where the readers are tested.
      #expect(
        relativeDifference(found.values, try #require(stored[name]).values) < 1e-5, "\(name)")
    }
  }

  @Test func `the content hash sees every name, attribute and value, and no order of layers`()
    throws
  {
    let source = Fixtures.sample("lenet-blobs")
    let original = try Netconv.contentHash(of: try ReaderRegistry.read(source).model)
    #expect(original.count == 64)
    let folder = try TemporaryFolder()
    func hash(_ old: String, _ new: String) throws -> String {
      try folder.copy(source, to: "copy\(new.hashValue)")
      let path = folder.file("copy\(new.hashValue)")
      let text = try String(contentsOfFile: path + "/model.json", encoding: .utf8)
      #expect(text.contains(old))
      try folder.write(text.replacing(old, with: new), to: "copy\(new.hashValue)/model.json")
      return try Netconv.contentHash(of: try ReaderRegistry.read(path).model)
    }
    #expect(try hash("\"pool1\"", "\"pool_one\"") != original)
    #expect(try hash("\"softmax\"", "\"sigmoid\"") != original)
    // Other values, as far as the network is concerned.
    #expect(try hash("(IHW)O", "(HWI)O") != original)
    // A copy with other files in other layouts holds the same values.
    _ = try Netconv.convert(
      ConvertRequest(source: source, destination: folder.file("converted")))
    let converted = try ReaderRegistry.read(folder.file("converted")).model
    #expect(try Netconv.contentHash(of: converted) == original)
  }

  @Test func `layers that the language has no word for are all named`() throws {
    let source = Fixtures.path("keras/keras2-dots.h5")
    let error = try #require(thrown { try Netconv.emit(source) })
    #expect(error.kind == .badData)
    #expect(error.headline.description.hasPrefix(source + ": "))
    #expect(error.headline.description.hasSuffix("cannot be expressed in the model language"))
    #expect(
      error.details == [
        "layer 'last': the language cannot express this Dot",
        "layer 'cosine': the language cannot express this Dot",
        "layer 'mixed': the language cannot express this Dot",
        "layer 'vectors': the language cannot express this Dot",
        "layer 'vectors_cosine': the language cannot express this Dot",
      ])
  }

  @Test func `a layer that reaches no output cannot be said either`() throws {
    let folder = try TemporaryFolder()
    try folder.copy(Fixtures.sample("lenet-blobs"), to: "lenet")
    let document = try String(contentsOfFile: folder.file("lenet/model.json"), encoding: .utf8)
    let outputs = #/"outputs": \[\s*"fc2"\s*\]/#
    #expect(document.contains(outputs))
    try folder.write(
      document.replacing(outputs, with: "\"outputs\": [\"fc1\"]"), to: "lenet/model.json")
    #expect(
      thrown { try Netconv.emit(folder.file("lenet")) }?.details
        == ["layer 'fc2': reaches no output"])
  }

  @Test func `the program writes the same text`() throws {
    let source = Fixtures.sample("lenet-blobs")
    let result = try NetconvProcess.run(["emit", source, "--language", "dsl"])
    #expect(result.status == 0)
    #expect(result.output == (try Netconv.emit(source)))
    #expect(try NetconvProcess.run(["emit", source, "--language", "prose"]).status == 64)
    #expect(try NetconvProcess.run(["emit", "/nowhere"]).status == 66)
  }
}
