import Foundation
import ModelIR
import NetconvKit
import Readers
import TestSupport
import Testing

/// The files in `Emitted` are what `netconv emit` writes, compiled here.
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
      let shape = [2] + (try #require(input.shape.known))
      inputs[input.name] = NDArray(shape: shape, values: numbers(shape.reduce(1, *)))
    }
    let expected = try EngineKind.fast.engine(for: read).run(inputs)
    #expect(expected.count == read.outputs.count)
    #expect(try EngineKind.fast.engine(for: built).run(inputs) == expected)
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
    let source = Fixtures.path("keras/keras2-dense-rank3.h5")
    let error = try #require(thrown { try Netconv.emit(source) })
    #expect(error.kind == .badData)
    #expect(error.headline.description.hasPrefix(source + ": "))
    #expect(error.headline.description.hasSuffix("cannot be said in the model language"))
    #expect(
      error.details == [
        "layer 'reshape': there is no word for this Reshape",
        "layer 'fc1': there is no word for this Dense",
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
