import Datasets
import Execution
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// RTNeural's JSON with the outputs of Keras, and models of Neural Amp Modeler with those of its trainer's package.
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
    #expect(Self.models.count { $0.file.hasSuffix(".json") } == 7)
    #expect(Self.models.count { $0.file.hasSuffix(".nam") } == 10)
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

  @Test("samples to test a network with change nothing, and are named")
  func testVectors() throws {
    let path = Fixtures.path("audio/rtneural-lstm.json")
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let folder = try TemporaryFolder()
    let place = try #require(text.firstIndex(of: "{"))
    try folder.write(
      #"{"input_batch": [[[0.5]], [[0.25]]], "output_batch": [[[1]], [[2]]], "#
        + text[text.index(after: place)...], to: "amp.json")
    let source = try ReaderRegistry.read(folder.file("amp.json"))
    #expect(
      source.notes.filter(\.isDecision).map(\.line) == [
        "samples to test the network with are left out, and nothing was compared with them: "
          + "'input_batch'; 'output_batch'"
      ])
    let whole = try ReaderRegistry.read(path)
    for (found, expected) in zip(try source.model.tensors, try whole.model.tensors) {
      #expect(try found.values() == expected.values())
    }
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
