import Datasets
import Execution
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// Models saved by both Kerases, with the prediction of a float64 clone of each as the oracle.
@Suite("Keras models give Keras's predictions")
struct KerasPredictionTests {
  /// Every fixture with stored predictions.
  static let fixtures: [String] = {
    let folder = Fixtures.path("keras")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".npz") }.map { String($0.dropLast(4)) }
      .sorted()
  }()

  @Test("all fixtures are there")
  func fixturesAreFound() {
    #expect(Self.fixtures.count >= 170)
    #expect(Self.fixtures.filter { Self.sequences.contains(String($0.dropFirst(7))) }.count == 40)
    #expect(Self.fixtures.filter { Self.attention.contains(String($0.dropFirst(7))) }.count == 16)
  }

  // Float32 sums of a few hundred products differ from float64 by some 1e-7 of the largest output;
  // 1e-5 leaves room for deep fixtures and is far below any wrong axis.
  @Test("every fixture, on both engines, within 1e-5", arguments: fixtures, EngineKind.allCases)
  func predictions(fixture: String, engine: EngineKind) throws {
    try check(Fixtures.path("keras/\(fixture).h5"), against: fixture, engine)
  }

  private func check(
    _ path: String, against fixture: String, _ engine: EngineKind,
    _ options: ReaderOptions = ReaderOptions()
  ) throws {
    let source = try ReaderRegistry.read(path, options)
    let stored = try arrays(Fixtures.path("keras/\(fixture).npz"))
    var inputs: [String: NDArray<Float>] = [:]
    for input in try source.model.inputs {
      let array = try #require(stored[input.name] ?? stored["input"])
      inputs[input.name] = NDArray(shape: array.shape, values: array.values)
    }
    let outputs = try engine.engine(for: source.model).run(inputs)
    for name in try source.model.outputs {
      let found = try #require(outputs[name])
      let expected = try #require(stored[name])
      #expect(found.shape == expected.shape)
      #expect(relativeDifference(found.values, expected.values) < 1e-5, "output \(name)")
    }
  }

  /// Models in Keras 3's own format: the file, and the fixture with its predictions.
  static let archives =
    [
      ("archive-conv-same.keras", "keras3-conv-same"),
      ("archive-batch-norm.keras", "keras3-batch-norm"), ("archive-nested.keras", "keras3-nested"),
      ("archive-shared-layer.keras", "keras3-shared-layer"),
      ("archive-residual.keras", "keras3-residual"),
      ("archive-two-inputs.keras", "keras3-two-inputs"),
      ("archive-concatenate.keras", "keras3-concatenate"),
      ("archive-activation-layers.keras", "keras3-activation-layers"),
      ("archive-bfloat16.keras", "keras3-bfloat16"),
      ("archive-mixed-bfloat16.keras", "keras3-mixed-bfloat16"),
      ("archive-keras2-bfloat16.keras", "keras2-bfloat16"),
      ("archive-group-normalizations.keras", "keras3-group-normalizations"),
      ("archive-axis-normalizations.keras", "keras3-axis-normalizations"),
      ("archive-data-normalizations.keras", "keras3-data-normalizations"),
      ("archive-dots.keras", "keras3-dots"), ("archive-resizings.keras", "keras3-resizings"),
      ("archive-application-layers.keras", "keras3-application-layers"),
      ("archive-training-only.keras", "keras3-training-only"),
      ("archive-deflated.keras", "keras3-batch-norm"),
      ("archive-unnamed.keras", "keras3-conv-same"),
      ("archive-first-layers.keras", "keras3-first-layers"),
      ("archive-first-flattened.keras", "keras3-first-flattened"),
      ("archive-weights.weights.h5", "keras3-batch-norm"),
      ("archive-keras213-numbered.keras", "keras213-numbered"),
      ("archive-keras213-windows.keras", "keras213-numbered"),
      ("archive-keras215-numbered.keras", "keras215-numbered"),
      ("archive-keras215-windows.keras", "keras215-numbered"),
      ("archive-lora.keras", "keras3-lora"), ("archive-spectral.keras", "keras3-spectral"),
      ("archive-passed-inputs.keras", "keras3-passed-inputs"),
      ("archive-reductions.keras", "keras3-reductions"),
      ("archive-keras2-cudnn.keras", "keras2-cudnn"),
      ("archive-keras2-local.keras", "keras2-local-1"),
      ("archive-adaptive-pooling.keras", "keras3-adaptive-pooling"),
      ("archive-at-1024.keras", "keras3-conv-same"), ("keras3-user-block.h5", "keras3-conv-same"),
    ] + (sequences + volumes + attention).map { ("archive-\($0).keras", "keras3-\($0)") }

  /// The fixtures of make_volumes.py.
  private static let volumes = [
    "volumes", "volume-shapes", "volume-lstm", "volume-adaptive", "volume-unet", "first-volumes",
  ]

  /// The fixtures of make_sequences.py.
  private static let sequences = [
    "conv1d", "conv1d-classifier", "conv1d-others", "pooling1d", "reshaping1d", "recurrent",
    "recurrent-states", "bidirectional", "cells", "time-distributed", "embedding", "masks",
    "masks-sequential", "nested-recurrent", "open-length", "bidirectional-cells", "conv-lstm",
    "stateful", "stateful-films",
  ]

  /// The fixtures of make_attention.py.
  private static let attention = [
    "attention-heads", "attention-groups", "attention-plain", "attention-masks", "einsum-dense",
    "reversible-embedding", "transformer-image", "transformer-words", "transformer-text",
  ]

  @Test("a .keras archive and a .weights.h5 give the same predictions", arguments: archives)
  func archivedPredictions(file: String, fixture: String) throws {
    try check(
      Fixtures.path("keras/\(file)"), against: fixture, .fast,
      ReaderOptions(
        architecture: file.hasSuffix(".weights.h5")
          ? Architecture(Fixtures.path("keras/archive-weights.json")) : nil))
  }

  @Test("the outputs depend on the inputs, so that equality means something")
  func fixturesAreNotVacuous() throws {
    for fixture in Self.fixtures {
      let source = try ReaderRegistry.read(Fixtures.path("keras/\(fixture).h5"))
      let stored = try arrays(Fixtures.path("keras/\(fixture).npz"))
      let spreads = try source.model.outputs.compactMap { name -> Double? in
        guard let array = stored[name], let count = array.shape.first, count > 1 else { return nil }
        let size = array.values.count / count
        return relativeDifference(
          Array(array.values[..<size]), Array(array.values[size..<2 * size]))
      }
      #expect(spreads.contains { $0 > 1e-2 }, "\(fixture): the two inputs give equal outputs")
    }
  }
}
