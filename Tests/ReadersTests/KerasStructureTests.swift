import ModelIR
import Operators
import Readers
import TestSupport
import Testing

@Suite("Keras checkpoints")
struct KerasStructureTests {
  private func read(_ name: String) throws -> ReadSource {
    try ReaderRegistry.read(Fixtures.path("keras/\(name).h5"))
  }

  @Test("Deep MNIST has the layers and parameters of the article")
  func deepMNIST() throws {
    let source = try ReaderRegistry.read(Fixtures.sample("deep-mnist/deep-mnist.h5"))
    #expect(source.format == "keras-h5")
    #expect(source.framework?.hasPrefix("keras 2.") == true)
    #expect(
      try source.model.layers.map(\.name) == [
        "conv1", "pool1", "conv2", "pool2", "flatten", "fc1", "dropout", "fc2",
      ])
    // 5·5·1·32+32 + 5·5·32·64+64 + 3136·1024+1024 + 1024·10+10
    #expect(try source.model.parameterCount == 3_274_634)
    #expect(try source.model.shape(of: "flatten") == Shape([3136]))
  }

  @Test(
    "a dense kernel names the axes that a flatten hides, whatever lies between",
    arguments: [
      ("keras2-flatten-dense", true), ("keras3-flatten-bn", true), ("keras2-reshape-dense", true),
      ("keras3-dense-rank4", false), ("keras2-global-pooling", false),
    ])
  func hiddenAxes(fixture: String, isHidden: Bool) throws {
    let model = try read(fixture).model
    let dense = model.tensors.filter { $0.spec.kind == .fullyConnected }
    let layouts = dense.map(\.storedLayout.description)
    #expect(layouts.contains("(HWI)O") == isHidden, "\(layouts)")
  }

  @Test("a vector behind a flatten hides the same axes")
  func vectorBehindFlatten() throws {
    let model = try read("keras2-flatten-bn").model
    let vectors = model.tensors.filter { $0.spec.role == .mean }
    #expect(vectors.map(\.storedLayout.description) == ["(HWC)"])
  }

  @Test("a layer that is called twice owns its weights once")
  func sharedLayer() throws {
    let model = try read("keras2-shared-layer").model
    let convolutions = model.layers.filter { $0.operation is Convolution2D }
    let names = Set(convolutions.flatMap(\.parameters).map(\.layer))
    #expect(convolutions.count > names.count)
    #expect(model.tensors.count == Set(model.tensors.map(\.stored.path)).count)
  }

  @Test("layers come in an order in which they can be computed")
  func topologicalOrder() throws {
    let model = try read("keras2-not-topological").model
    var known = Set(model.inputs.map(\.name))
    for layer in model.layers {
      #expect(known.isSuperset(of: layer.inputs), "\(layer.name)")
      known.insert(layer.name)
    }
  }

  @Test("integers, half precision, big-endian and compressed weights are read as float32")
  func storage() throws {
    let model = try read("storage").model
    let types = Set(model.tensors.map(\.stored.source.elementType))
    #expect(types.isSuperset(of: [.float16, .float32, .float64, .int32]))
  }

  @Test("weights keep the type in which they are stored", arguments: ["keras2", "keras3"])
  func precisions(keras: String) throws {
    func types(_ policy: String) throws -> Set<ElementType> {
      Set(try read("\(keras)-\(policy)").model.tensors.map(\.stored.source.elementType))
    }
    #expect(try types("float16") == [.float16, .float32])
    #expect(try types("bfloat16") == [.bfloat16, .float32])
    #expect(try types("mixed-float16") == [.float32])
    #expect(try types("mixed-bfloat16") == [.float32])
  }

  @Test("an architecture beside the weights serves a file of weights only")
  func weightsOnly() throws {
    let path = Fixtures.path("keras/keras2-weights-only.h5")
    #expect(throws: NetconvError.self) { try ReaderRegistry.read(path) }
  }
}
