import Foundation
import ModelDSL
import ModelIR
import NetconvKit
import Readers
import TestSupport
import Testing

@Suite struct LoaderTests {
  private func model(_ loader: ParameterLoader) throws(NetconvError) -> Model {
    let input = Input(width: 3, height: 2, channels: 2)
    let output = input --> Dense(neurons: 2, name: "fc/1")
    return try Model(input: input, output: output, loader: loader)
  }

  @Test func `loose files are in the order of their target, or in that of the definition`() throws {
    let folder = try TemporaryFolder()
    let values = (0..<24).map(Float.init)
    try folder.write(littleEndian(values), to: "fc_1_W.bin")
    try folder.write(littleEndian([1, 2]), to: "fc_1_b.bin")
    let metal = try model(.folder(folder.path)).tensors[0]
    #expect(metal.storedLayout == .ohwi)
    let layout = try #require(Layout("(HWI)O"))
    #expect(try metal.rearranged(to: layout).values().prefix(3) == [0, 12, 1])
    let keras = try model(.folder(folder.path, target: nil)).tensors[0]
    #expect(keras.storedLayout.description == "(HWI)O")
    #expect(try keras.values() == values)
  }

  @Test func `files that are missing or too long are all named`() throws {
    let folder = try TemporaryFolder()
    try folder.write(littleEndian([1, 2, 3]), to: "fc_1_b.bin")
    let error = try #require(thrown { try model(.folder(folder.path)) })
    #expect(error.details.count == 2)
    #expect(
      error.details[0].hasPrefix(folder.path + "/fc_1_W.bin: layer 'fc/1', tensor 'kernel': "))
    #expect(
      error.details[1]
        == "\(folder.path)/fc_1_b.bin: layer 'fc/1', tensor 'bias': holds 12 bytes, expected 8 ([2] of "
        + "float32); correct the layer, the type or the file")
    #expect(
      thrown { try ParameterLoader.folder(folder.path, target: "nothing") }?.kind == .usage)
  }

  /// The LeNet of Samples/pytorch-lenet, in the model language.
  private func lenet(_ loader: ParameterLoader, fc: String = "classifier.0") throws(NetconvError)
    -> Model
  {
    let input = Input(width: 28, height: 28, channels: 1)
    let output =
      input
      --> Convolution(kernel: (5, 5), channels: 8, activation: .relu, name: "features.0")
      --> MaxPooling(kernel: (2, 2), stride: (2, 2))
      --> Convolution(
        kernel: (5, 5), channels: 16, padding: .valid, activation: .relu, name: "features.3")
      --> MaxPooling(kernel: (2, 2), stride: (2, 2))
      --> Dense(neurons: 48, activation: .relu, name: fc)
      --> Dense(neurons: 10, name: "classifier.2")
    return try Model(input: input, output: output, loader: loader)
  }

  @Test func `weights of PyTorch are those of layers that are called alike, or by rules`() throws {
    let path = Fixtures.sample("pytorch-lenet/lenet.pt")
    let expected = try ReaderRegistry.read(
      path,
      ReaderOptions(architecture: Architecture(Fixtures.sample("pytorch-lenet/model.json")))
    ).model.tensors
    for (bindings, name) in [([], "classifier.0"), (["classifier.0=fc"], "fc")] {
      let found = try lenet(.weights(path, bindings: bindings), fc: name).tensors
      #expect(found.map(\.stored.path) == expected.map(\.stored.path))
      for (a, b) in zip(found, expected) {
        #expect(
          try a.rearranged(to: a.spec.layout).values() == b.rearranged(to: b.spec.layout).values())
      }
    }
    #expect(
      thrown { try ParameterLoader.weights(path, bindings: ["conv=a"]) }?.message.hasPrefix(
        "the rule 'conv=a' matches no tensor") == true)
    #expect(thrown { try lenet(.weights(path), fc: "fc") }?.details.count == 2)
  }

  @Test func `a model without the layer says what is missing`() throws {
    let loader = try ParameterLoader.model(Fixtures.sample("lenet-blobs"))
    #expect(
      problem { () throws(NetconvError) in try model(loader) } == """
        2 problems in the model
          layer 'fc/1', tensor 'kernel': the kernel is missing; expected shape [12, 2] ((HWI)O)
          layer 'fc/1', tensor 'bias': the bias is missing; expected shape [2] (O)
        """)
  }

  @Test func `values that are not numbers come last`() {
    let values = NDArray<Float>(shape: [2, 3], values: [.nan, 1, 2, 5, .infinity, .nan])
    #expect(values.top(3).map { $0.map(\.index) } == [[2, 1, 0], [1, 0, 2]])
    #expect(values.top(0) == [[], []])
    #expect(values.top(1, labels: ["a", "b"])[0][0].label == "")
  }
}
