import Datasets
import Execution
import Files
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing
import Zlib

/// The assignment of weights to layers, and other contents of a file.
///
/// `make_bindings.py` writes the files. Files with predictions are also in `KerasPredictionTests`.
@Suite("Whose weights Keras takes them for")
struct KerasBindingTests {
  private func path(_ name: String) -> String { Fixtures.path("keras/\(name)") }

  private func read(_ name: String, architecture: String? = nil) throws -> ReadSource {
    try ReaderRegistry.read(
      path(name), ReaderOptions(architecture: architecture.map { Architecture(path($0)) }))
  }

  private func error(_ name: String) throws -> NetconvError {
    try #require(throws: NetconvError.self) { try read(name).model }
  }

  /// Compares the outputs of a model with the arrays of a file, which includes the input.
  private func check(_ source: ReadSource, against name: String) throws {
    let stored = try arrays(path(name))
    let model = try source.model
    let input = try #require(stored["input"])
    let outputs = try EngineKind.fast.engine(for: model).run([
      model.inputs[0].name: NDArray(shape: input.shape, values: input.values)
    ])
    let found = try #require(outputs[model.outputs[0]])
    let expected = try #require(stored.first { $0.key != "input" }?.value)
    // Sums of six products, each rounded to float32.
    #expect(relativeDifference(found.values, expected.values) < 1e-5)
  }

  @Test(
    "order counts, and names that say something else are told",
    arguments: [
      "keras2-renamed", "keras3-renamed", "keras2-frozen", "keras3-frozen",
    ])
  func renamed(name: String) throws {
    let notes = try read(name + ".h5").notes
    #expect(notes.map(\.isWarning) == [true])
    #expect(notes.first?.text.hasPrefix("the names of weights are those of other layers") == true)
    #expect(notes.first?.details == ["'body'"])
  }

  @Test("weights alone are those of the same layers, without a graph", arguments: [2, 3])
  func weightsAlone(version: Int) throws {
    let file = "keras\(version)-renamed.h5"
    let model = try read(file).model
    // A class that netconv does not know takes the graph away, not the order.
    let folder = try TemporaryFolder()
    var bytes = try Data(contentsOf: URL(filePath: path(file)))
    let text = #""class_name": "Dense", "config": {"name": "out""#
    let place = try #require(bytes.range(of: Data(text.utf8)))
    bytes.replaceSubrange(place, with: Data(text.replacing("Dense", with: "Thick").utf8))
    try folder.write(Array(bytes), to: "model.h5")
    let source = try ReaderRegistry.read(
      folder.file("model.h5"), ReaderOptions(acceptsWeights: true))
    #expect(source.problem != nil)
    let layers = source.network.tensors.filter { $0.layer.hasPrefix("body/") }
    #expect(layers.count == 8)
    for tensor in layers {
      let own = try #require(model.tensors.first { $0.key == tensor.key })
      #expect(try own.values() == tensor.values())
    }
  }

  @Test("weights of a model that was built alike are those of its layers in order")
  func otherNames() throws {
    let source = try read("bindings/other-names.h5", architecture: "bindings/other-names.json")
    try check(source, against: "bindings/other-names.npz")
    #expect(
      source.notes.map(\.line) == [
        "the weights are those of layers with other names; they were read in the order of the layers, as Keras loads "
          + "them: 'dense_3': 'dense_1'; 'dense_4': 'dense_0'; 'dense_5': 'dense_3'"
      ])
  }

  // MARK: - Files

  @Test("weights in several files are those of one, also where two files share a layer")
  func shards() throws {
    let source = try read("bindings/shards.weights.json", architecture: "bindings/shards.json")
    #expect(source.format == "keras-shards")
    #expect(source.files.count == 4)
    try check(source, against: "bindings/shards.npz")
    let weights = try ReaderRegistry.read(
      path("bindings/shards.weights.json"), ReaderOptions(acceptsWeights: true))
    #expect(weights.misfits.isEmpty)
    #expect(weights.network.tensors.count == 10)
  }

  @Test("a file that is missing, or has not what the index says, is named")
  func damagedShards() throws {
    let folder = try TemporaryFolder()
    let index = try folder.copy(path("bindings/shards.weights.json"), to: "shards.weights.json")
    for number in 0..<3 {
      let name = "shards_0000\(number).weights.h5"
      try folder.copy(path("bindings/\(name)"), to: name)
    }
    let options = ReaderOptions(acceptsWeights: true)
    let missing = try #require(throws: NetconvError.self) {
      try ReaderRegistry.read(index, options)
    }
    #expect(missing.kind == .cannotOpen)
    #expect(missing.file?.hasSuffix("/shards_00003.weights.h5") == true)
    let text = String(decoding: try folder.bytes("shards.weights.json"), as: UTF8.self)
    try folder.write(
      text.replacing("shards_00003", with: "shards_00000")
        .replacing("layers/dense_1/", with: "layers/dense_7/"),
      to: "shards.weights.json")
    let wrong = try #require(throws: NetconvError.self) {
      try ReaderRegistry.read(index, options)
    }
    #expect(wrong.message == "1 tensor of the index is not in the file that it names")
    #expect(wrong.details == ["'/layers/dense_7/vars'"])
  }

  @Test("a folder is read as the archive that it was")
  func unzipped() throws {
    let folder = try TemporaryFolder()
    let archive = try ZipArchive(RandomAccessFile(path: path("archive-nested.keras")))
    for entry in archive.entries {
      try folder.write(try archive.contents(of: entry, limit: 1 << 20), to: entry.name)
    }
    let source = try ReaderRegistry.read(folder.path)
    #expect(source.format == "keras-archive")
    #expect(source.framework?.hasPrefix("keras 3.") == true)
    let whole = try read("archive-nested.keras").model
    for (found, expected) in zip(try source.model.tensors, whole.tensors) {
      #expect(found.key == expected.key)
      #expect(try found.values() == expected.values())
    }
  }

  // MARK: - Calls as in training

  @Test(
    "a normalisation by batches is refused wherever the call says it",
    arguments: ["keras2-training-batch.h5", "keras3-training-batch.h5"])
  func batches(name: String) throws {
    let error = try error(name)
    #expect(error.message.hasPrefix("3 layers are not supported"))
    let lines = error.lines.dropFirst().map(\.description)
    for (line, layer) in zip(lines, ["norm", "body/inside", "steps/layer"]) {
      #expect(line.contains("'\(layer)' (BatchNormalization)"))
      #expect(line.contains("called with training=True, so it normalises by the mean"))
    }
  }

  @Test(
    "layers that stay random are named", arguments: ["keras2", "keras3"])
  func random(version: String) throws {
    let source = try read("\(version)-training-random.h5")
    #expect(source.notes.map(\.isWarning) == [true])
    #expect(source.notes.first?.text.hasPrefix("3 layers are called with training=True") == true)
    #expect(source.notes.first?.details == ["'drop'", "'lstm'", "'body/noise'"])
    #expect(try read("\(version)-training.h5").notes.isEmpty)
  }

  // MARK: - Classes

  private static let ownLayers = [
    "'registered' (mine>ReLU), layer 2 of 5", "'of_script' (__main__>ReLU), layer 3 of 5",
  ]

  @Test("a class that is only called as one of Keras's is not taken for it")
  func ownClasses() throws {
    let error = try error("archive-own-classes.keras")
    #expect(error.message.hasPrefix("2 layers are not supported"))
    for (line, own) in zip(error.lines.dropFirst().map(\.description), Self.ownLayers) {
      #expect(line.contains(own))
    }
    for (document, text) in [
      ("own-classes", Self.ownLayers[0]),
      ("own-recurrent", "'mine>Other' in Bidirectional is not read"),
    ] {
      let bytes = try Data(contentsOf: URL(filePath: path("bindings/\(document).json")))
      let error = try #require(throws: NetconvError.self) {
        try kerasModel(configuration: Array(bytes), file: document)
      }
      #expect(error.lines.map(\.description).joined(separator: "\n").contains(text))
    }
  }

  @Test("it can be replaced, and its group is still called after its class")
  func replaced() throws {
    let replacements = try LayerReplacements([
      LayerReplacement("registered=Activation(function: relu)"),
      LayerReplacement("of_script=Activation(function: tanh)"),
    ])
    let source = try ReaderRegistry.read(
      path("archive-own-classes.keras"), ReaderOptions(replacements: replacements))
    #expect(source.replaced.map(\.className) == ["mine>ReLU", "__main__>ReLU"])
    #expect(try source.model.layers.count == 4)
  }

  // MARK: - Arrays of NumPy

  @Test("texts beside weights are left out and named, and alone are refused")
  func texts() throws {
    let options = ReaderOptions(acceptsWeights: true)
    let source = try ReaderRegistry.read(Fixtures.path("numpy/text.npz"), options)
    #expect(source.network.tensors.map(\.storedShape) == [[6, 4]])
    #expect(
      source.notes.map(\.line) == [
        "2 arrays hold text, not numbers, and are left out: 'classes', 'bytes'"
      ])
    let error = try #require(throws: NetconvError.self) {
      try ReaderRegistry.read(Fixtures.path("numpy/only-text.npz"), options)
    }
    #expect(error.message == "holds no numbers, only text: 'classes'")
  }

  @Test("a shape that Python 2 wrote is read")
  func python2() throws {
    let source = try ReaderRegistry.read(
      Fixtures.path("numpy/python2.npy"), ReaderOptions(acceptsWeights: true))
    let tensor = try #require(source.network.tensors.first)
    #expect(tensor.storedShape == [6, 4])
    #expect(try tensor.values() == (0..<24).map(Float.init))
  }
}
