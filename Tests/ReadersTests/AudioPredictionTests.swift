import Datasets
import Execution
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// RTNeural's JSON with Keras's outputs, and Neural Amp Modeler's models with those of its trainer.
@Suite("RTNeural's JSON and Neural Amp Modeler's files give the outputs of their makers")
struct AudioPredictionTests {
  /// The file of a model, and the fixture with its outputs.
  static let models: [(file: String, outputs: String)] = {
    let folder = Fixtures.path("audio")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") || $0.hasSuffix(".nam") }.sorted().map { name in
      let stem = String(name.prefix { $0 != "." })
      return (name, stem.replacing("-legacy", with: ""))
    }
  }()

  @Test("all fixtures are there")
  func fixturesAreFound() {
    #expect(Self.models.count { $0.file.hasSuffix(".json") } == 8)
    #expect(Self.models.count { $0.file.hasSuffix(".nam") } == 13)
  }

  // Float32 sums of a few hundred products differ by some 1e-7 of the largest output.
  @Test("every file, on both engines, within 1e-5", arguments: models, EngineKind.allCases)
  func predictions(model: (file: String, outputs: String), engine: EngineKind) throws {
    let source = try ReaderRegistry.read(Fixtures.path("audio/\(model.file)"))
    let stored = try arrays(Fixtures.path("audio/\(model.outputs).npz"))
    let signal = try #require(stored["input"])
    let expected = try #require(stored["output"])
    let name = try #require(try source.model.outputs.first)
    let outputs = try engine.engine(for: source.model).run([
      "input": NDArray(shape: signal.shape, values: signal.values)
    ])
    let found = try #require(outputs[name])
    #expect(found.shape == expected.shape)
    #expect(relativeDifference(found.values, expected.values) < 1e-5)
  }

  @Test("what a file says of itself is a note")
  func notes() throws {
    let source = try ReaderRegistry.read(Fixtures.path("audio/wavenet-standard.nam"))
    #expect(source.format == "nam" && source.framework == "neural-amp-modeler 0.7.0")
    #expect(
      source.notes.map(\.line) == [
        "the file says of itself: version '0.7.0'; sample_rate 48000; metadata.date.day 2; "
          + "metadata.date.month 1; metadata.date.year 2026; metadata.gear_type 'amp'; "
          + "metadata.loudness -20.5; metadata.name 'drawn WaveNet'",
        "12 weights are not taken over: those of the convolution from the last layer to a next one, which there is "
          + "not",
      ])
  }

  @Test("samples to test a network with come with it, and are named")
  func testVectors() throws {
    let source = try ReaderRegistry.read(Fixtures.path("audio/rtneural-aida.json"))
    let vectors = try #require(try source.testVectors?.get())
    #expect(vectors.input.shape == [1, 96, 1] && vectors.output.shape == [1, 96, 1])
    #expect(
      source.notes.filter(\.isDecision).map(\.line) == [
        "the file holds samples to test the network with, which verify compares with, and convert does not store: "
          + "'input_batch'; 'output_batch'"
      ])
  }

  /// Samples that do not fit the network of two outputs for each step, and why.
  static let misfits = [
    (
      #""input_batch": [[[0.5]], [[0.25]]], "output_batch": [[[1]], [[2]]], "#,
      "'output_batch' has shape (2, 1, 1), which is not that of (2, 2)"
    ),
    (#""output_batch": [1, 2], "#, "'input_batch' is missing"),
    (
      #""input_batch": [0.5, "a"], "output_batch": [1, 2, 3, 4], "#,
      "'input_batch[1]' is 'a', expected a number that float32 holds"
    ),
    (
      #""input_batch": [], "output_batch": [], "#,
      "'input_batch' has shape (0), which is not that of (None, 1)"
    ),
    (
      #""input_batch": [0.5, 1], "output_batch": [[1, 2], [3, 4], [5, 6]], "#,
      "'output_batch' has shape (3, 2), which is not that of (2, 2)"
    ),
  ]

  @Test("samples that do not fit leave the network as it is, with a warning", arguments: misfits)
  func misfit(keys: String, why: String) throws {
    let path = Fixtures.path("audio/rtneural-lstm.json")
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let folder = try TemporaryFolder()
    let place = try #require(text.firstIndex(of: "{"))
    try folder.write("{" + keys + text[text.index(after: place)...], to: "amp.json")
    let source = try ReaderRegistry.read(folder.file("amp.json"))
    #expect((try? source.testVectors?.get()) == nil)
    let warnings = source.notes.filter(\.isWarning)
    #expect(
      warnings.map(\.text) == [
        "the file holds test samples, which are not used here"
      ])
    #expect(warnings.first?.details == [why])
    let whole = try ReaderRegistry.read(path)
    for (found, expected) in zip(try source.model.tensors, try whole.model.tensors) {
      #expect(try found.values() == expected.values())
    }
  }

  @Test(
    "of a container that network is read whose size is asked for",
    arguments: [("0.25", "lstm-2"), ("0.5", "wavenet-nano"), ("1", "wavenet-standard")])
  func entry(size: String, network: String) throws {
    var options = ReaderOptions()
    options.graph.entry = size
    let source = try ReaderRegistry.read(Fixtures.path("audio/container.nam"), options)
    let alone = try ReaderRegistry.read(Fixtures.path("audio/\(network).nam"))
    let found = try source.model.tensors.map { try $0.values() }
    let expected = try alone.model.tensors.map { try $0.values() }
    #expect(found == expected)
    #expect(source.notes.contains { $0.text.hasPrefix("the file holds 3 networks; that of size") })
  }

  @Test("an LSTM that begins with zeros has no layers for its states")
  func states() throws {
    func names(_ file: String) throws -> [String] {
      try ReaderRegistry.read(Fixtures.path("audio/\(file).nam")).model.layers.map(\.name)
    }
    #expect(try names("lstm-zeros") == ["lstm_0", "lstm_1", "head"])
    #expect(
      try names("lstm-1") == [
        "initial", "lstm_0_initial_output", "lstm_0_initial_cell", "lstm_0", "head",
      ])
  }
}
