import ModelIR
import Readers
import TestSupport
import Testing

/// Weights that older releases stored in another form; ``KerasPredictionTests`` checks the outputs with all fixtures.
@Suite("Weights of older releases have the form of today's")
struct KerasOldWeightTests {
  /// The tensors of a layer, by role.
  private func tensors(
    _ fixture: String, of layer: String, withoutGraph: Bool = false
  ) throws -> [String: Tensor] {
    let source = try ReaderRegistry.read(
      Fixtures.path("keras/\(fixture).h5"), ReaderOptions(acceptsWeights: withoutGraph))
    let all: [Tensor]
    switch source.network {
    case .model(let model): all = model.tensors
    case .weights(let weights): all = weights.layers.flatMap(\.parameters)
    }
    #expect({ if case .weights = source.network { true } else { false } }() == withoutGraph)
    return Dictionary(
      uniqueKeysWithValues: all.filter { $0.layer == layer }.map { ($0.spec.role.rawValue, $0) })
  }

  @Test(
    "a file without a graph gives the same weights as one with it",
    arguments: [
      ("keras2-cudnn", "lstm", 3), ("keras2-cudnn", "gru", 4), ("keras1-recurrent", "lstm_1", 3),
      ("keras1-recurrent", "gru_1", 3), ("keras1-recurrent", "lstm_3", 3),
      ("keras2-local-1", "plain", 2), ("keras2-local-1", "line", 2),
    ])
  func withoutGraph(fixture: String, layer: String, count: Int) throws {
    let plain = try tensors(fixture, of: layer)
    let alone = try tensors(fixture + "-unknown", of: layer, withoutGraph: true)
    #expect(plain.count == count)
    #expect(Set(alone.keys) == Set(plain.keys))
    for (role, tensor) in plain {
      #expect(alone[role]?.layout == tensor.layout, "\(role)")
      #expect(try alone[role]?.values() == tensor.values(), "\(role)")
    }
  }

  @Test("a kernel of all inputs by all outputs has no names of axes without a graph")
  func dense() throws {
    let kernel = try tensors("keras2-local-2-unknown", of: "line", withoutGraph: true)["kernel"]
    #expect(kernel?.layout.description == "PQRS")
    #expect(kernel?.shape == [9, 3, 7, 4])
  }

  @Test("weights of cuDNN have the layout of a recurrent layer")
  func layouts() throws {
    let weights = try tensors("keras2-cudnn", of: "gru")
    #expect(
      weights.mapValues(\.layout.description) == [
        "kernel": "I(G[zrh]N)", "recurrent": "I(G[zrh]N)", "bias": "(G[zrh]N)",
        "recurrent_bias": "(G[zrh]N)",
      ])
    #expect(weights["kernel"]?.storedShape == [3, 15])
  }

  @Test("the three implementations of a locally connected layer have one kernel")
  func implementations() throws {
    for fixture in ["keras2-local", "keras2-local-first"] {
      for implementation in 1...3 {
        let kernel = try tensors("\(fixture)-\(implementation)", of: "plain")["kernel"]
        let bias = try tensors("\(fixture)-\(implementation)", of: "plain")["bias"]
        #expect(kernel?.spec.layout.description == "L(HWI)O")
        #expect(kernel?.count == 25 * 12 * 4)
        #expect(bias?.count == 25 * 4)
      }
    }
  }

  @Test("the values of any part of a tensor are those of the whole")
  func parts() throws {
    for (fixture, layer, role) in [
      ("keras2-cudnn", "lstm", "kernel"), ("keras2-cudnn", "lstm", "bias"),
      ("keras1-recurrent", "gru_1", "kernel"), ("keras1-recurrent", "gru_1", "bias"),
      ("keras2-local-2", "strided", "kernel"), ("keras2-local-first-2", "strided", "kernel"),
    ] {
      let source = try #require(try tensors(fixture, of: layer)[role]).stored.source
      func values(_ range: Range<Int>) throws -> [Float] {
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: range.count)
        defer { buffer.deallocate() }
        try source.read(range, into: buffer)
        return Array(buffer)
      }
      let whole = try values(0..<source.count)
      for start in stride(from: 0, to: source.count, by: 7) {
        let range = start..<min(source.count, start + 5)
        #expect(try values(range) == Array(whole[range]), "\(fixture) \(layer) \(role)")
      }
      #expect(Set(whole).count > whole.count / 2)
    }
  }
}
