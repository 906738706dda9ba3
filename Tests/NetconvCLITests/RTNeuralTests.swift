import Datasets
import Foundation
import ModelIR
import TestSupport
import Testing

/// Output for RTNeural, compared with JSON that a script wrote by RTNeural's own rules.
@Suite("RTNeural's JSON")
struct RTNeuralTests {
  /// Networks that RTNeural holds, over sequences or vectors.
  static let networks = ["lstm", "gru", "conv", "dense", "plain"]

  private func json(_ bytes: some Sequence<UInt8>) throws -> NSDictionary {
    try #require(
      JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary)
  }

  private func keras(_ name: String) -> String { Fixtures.path("audio/rtneural-\(name).keras") }

  private func convert(_ name: String, in line: CommandLine) throws {
    expectSuccess(
      try line.netconv(
        "convert", keras(name), "\(name).rtneural.json", "--target", "rtneural", "--quiet"))
  }

  @Test(
    "Keras's model gives the JSON that RTNeural's rules give, number by number", arguments: networks
  )
  func written(name: String) throws {
    let line = try CommandLine()
    try convert(name, in: line)
    let written = try json(line.folder.bytes("\(name).rtneural.json"))
    let fixture = URL(filePath: Fixtures.path("audio/rtneural-\(name).json"))
    let expected = try json(Data(contentsOf: fixture))
    #expect(written["in_shape"] as? NSArray == expected["in_shape"] as? NSArray)
    let layers = try #require(written["layers"] as? [NSDictionary])
    let others = try #require(expected["layers"] as? [NSDictionary])
    #expect(layers.count == others.count)
    for (layer, other) in zip(layers, others) {
      // A Dense layer at each step is a Dense layer.
      let other = try #require(other.mutableCopy() as? NSMutableDictionary)
      if other["type"] as? String == "time-distributed-dense" { other["type"] = "dense" }
      #expect(layer == other, "\(name): \(layer["type"] ?? "")")
    }
  }

  @Test("what was written is read, and computes what Keras does", arguments: networks)
  func roundTrip(name: String) throws {
    let line = try CommandLine()
    try convert(name, in: line)
    let stored = try arrays(Fixtures.path("audio/rtneural-\(name).npz"))
    let signal = try #require(stored["input"])
    try line.folder.write(
      npy(
        "<f4", "(\(signal.shape.map(String.init).joined(separator: ", ")))",
        littleEndian(signal.values)),
      to: "in.npy")
    expectSuccess(
      try line.netconv(
        "run", "\(name).rtneural.json", "--input", "in.npy", "--output", "out.npz", "--quiet"))
    let found = try #require(try arrays(line.folder.file("out.npz")).values.first)
    let expected = try #require(stored["output"])
    #expect(found.shape == expected.shape)
    #expect(relativeDifference(found.values, expected.values) < 1e-5)
    // Every weight is the source's, bit by bit.
    expectSuccess(
      try line.netconv(
        "convert", "\(name).rtneural.json", "again.rtneural.json", "--target", "rtneural", "--quiet"
      ))
    #expect(
      try line.folder.bytes("again.rtneural.json") == line.folder.bytes("\(name).rtneural.json"))
  }

  @Test("a folder has the JSON, an archive and the manifest")
  func folder() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv("convert", keras("lstm"), "out", "--target", "rtneural", "--quiet"))
    #expect(
      try line.names(in: "out") == ["manifest.json", "model.netpack", "model.rtneural.json"])
  }

  @Test(
    "an LSTM of Neural Amp Modeler that begins with zeros becomes RTNeural's, others are refused")
  func fromNeuralAmpModeler() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Fixtures.path("audio/lstm-zeros.nam"), "a.rtneural.json", "--target", "rtneural",
        "--quiet"))
    expectError(
      try line.netconv(
        "convert", Fixtures.path("audio/lstm-1.nam"), "b.rtneural.json", "--target", "rtneural",
        "--quiet"), 65,
      Fixtures.path("audio/lstm-1.nam")
        + ": layer 'lstm_0': begins with states of its own; a layer of RTNeural starts from zeros and reads every "
        + "step in order")
    #expect(try line.names() == ["a.rtneural.json"])
  }

  @Test(
    "what RTNeural would compute otherwise is refused before anything is written",
    arguments: [
      (
        "rtneural-last",
        "layer 'gru_1': returns only the last step; RTNeural returns every step: use return_sequences=True, and take the "
          + "last one in the program"
      ),
      (
        "rtneural-frame",
        "layer 'conv1d_4': has the padding valid; RTNeural computes a convolution sample by sample, which is causal: "
          + "train with padding=\"causal\""
      ),
    ])
  func refusals(name: String, message: String) throws {
    let line = try CommandLine()
    let source = Fixtures.path("audio/\(name).keras")
    let result = try line.netconv("convert", source, "out", "--target", "rtneural", "--quiet")
    #expect(result.status == 65)
    let text = result.errors.replacing(#/_?\d*'/#, with: "'")
    let expected = message.replacing(#/_?\d*'/#, with: "'")
    #expect(text.contains(expected), "\(result.errors)")
    #expect(try line.names() == [])
  }

  /// A chain over sequences in `model.json`, with one parameter file of zeros.
  private func write(_ operators: String, to line: CommandLine, input: String = "[null, 2]") throws
  {
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m", "outputs": ["y"],
       "inputs": [{"name": "x", "shape": \(input)}], "layers": [\(operators)]}
      """, to: "net/model.json")
  }

  @Test(
    "operators and settings that RTNeural has not",
    arguments: [
      (
        #"{"name": "y", "operator": "Cropping1D", "inputs": ["x"], "attributes": {"cropping": [[1, 0]]}}"#,
        "layer 'y': Cropping1D is not in RTNeural's JSON; Dense, Conv1D, LSTM, GRU, PReLU, BatchNormalization and "
          + "activations are"
      ),
      (
        #"{"name": "y", "operator": "Activation", "inputs": ["x"], "attributes": {"function": "selu"}}"#,
        "layer 'y': has the activation selu; RTNeural has tanh, relu, sigmoid, elu with alpha 1, and softmax over "
          + "channels"
      ),
      (
        #"{"name": "a", "operator": "Activation", "inputs": ["x"], "attributes": {"function": "tanh"}},"#
          + #"{"name": "y", "operator": "Add", "inputs": ["x", "a"], "attributes": {}}"#,
        "layer 'y': reads 'x' and 'a', expected 'a' alone: RTNeural's JSON holds a chain; branches have to be "
          + "merged in the program"
      ),
      (
        #"{"name": "y", "operator": "Identity", "inputs": ["x"], "attributes": {}}"#,
        "the network has no layer for RTNeural"
      ),
    ])
  func operators(layers: String, message: String) throws {
    let line = try CommandLine()
    try write(layers, to: line)
    expectError(
      try line.netconv("convert", "net", "out", "--target", "rtneural", "--quiet"), 65,
      "net: " + message)
  }

  @Test("the JSON is for its own target and float32, and a folder of it alone is refused")
  func requests() throws {
    let line = try CommandLine()
    expectError(
      try line.netconv("convert", keras("lstm"), "x.rtneural.json"), 64,
      "target mps does not accept float32 weights as RTNeural's JSON; it is for --target rtneural, in float32"
    )
    expectError(
      try line.netconv(
        "convert", keras("lstm"), "out", "--target", "rtneural", "--formats", "rtneural"), 64,
      "RTNeural's JSON cannot be read back; write another format with it, as in --formats bin,rtneural, or name a "
        + "file that ends in .rtneural.json")
    expectError(
      try line.netconv(
        "convert", keras("lstm"), "x.rtneural.json", "--target", "rtneural", "--weights-only"), 64,
      keras("lstm")
        + ": RTNeural's JSON needs layers, but only weights are known; convert without --weights-only"
    )
    #expect(try line.names() == [])
  }

  @Test("a weight that is not finite has no place in JSON")
  func notFinite() throws {
    let line = try CommandLine()
    try write(
      #"{"name": "y", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 2}, "parameters": "#
        + #"[{"role": "kernel", "file": "k.bin", "dtype": "float32", "layout": "IO"}]}"#, to: line)
    try line.folder.write(littleEndian([1, 2, .infinity, 4]), to: "net/k.bin")
    expectError(
      try line.netconv("convert", "net", "x.rtneural.json", "--target", "rtneural", "--quiet"), 65,
      "net: layer 'y', tensor 'kernel': holds an infinite value, which JSON cannot hold")
    #expect(try line.names() == ["net"])
  }
}
