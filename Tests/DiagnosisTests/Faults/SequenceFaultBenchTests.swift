import Diagnosis
import ModelIR
import TestSupport
import Testing

/// Faults of gates, taps, biases and directions, in networks over sequences.
@Suite("The fault bench over sequences", .slow)
struct SequenceFaultBenchTests {
  private static let bench = FaultBench(
    models: [
      "keras2-recurrent", "keras3-recurrent", "keras3-bidirectional", "keras2-cells",
      "keras2-recurrent-states", "keras3-masks-sequential", "keras3-nested-recurrent",
      "keras3-embedding", "keras2-conv1d", "keras3-conv1d-classifier", "keras3-conv1d-others",
      "keras2-reshaping1d",
    ], targets: ["torch", "onnx", "coreml", "source", "mlx"]
  ) { correct in
    try FaultBench.some(SequenceFaults.all(in: correct.model), of: correct) {
      $0 == .gateOrder ? 10 : 5
    }
  }

  /// Kinds that only the source can reveal: a bias that is missing or was added to another one, and layers without a
  /// similar one to compare with.
  private static let needSource: Set<Repair.Kind> = [.missingParameter]

  @Test("with the source at hand the layer is always named, and the mistake almost always")
  func againstSource() throws {
    let tallies = try Self.bench.run(withModel: true)
    FaultBench.report(tallies, title: "against the source")
    let sum = tallies.values.reduce(into: FaultBench.Tally()) { $0 += $1 }
    #expect(sum.counted >= FaultBench.leastCount)
    #expect(sum.named == sum.counted)
    #expect(Double(sum.called) >= 0.95 * Double(sum.counted))
    #expect(tallies.values.allSatisfy { $0.counted > 0 })
  }

  @Test("with saved activations alone the layer is always named, and the mistake mostly")
  func againstActivations() throws {
    let tallies = try Self.bench.run(withModel: false)
    FaultBench.report(tallies, title: "against saved activations")
    let sum = tallies.filter { !Self.needSource.contains($0.key) }.values
      .reduce(into: FaultBench.Tally()) { $0 += $1 }
    #expect(sum.counted >= FaultBench.leastCount)
    #expect(tallies.values.allSatisfy { $0.named == $0.counted })
    // A part of the faults has as many biases that were added up as of any other kind; of all they are few.
    #expect(Double(sum.called) >= (Sampling.isProof ? 0.95 : 0.9) * Double(sum.counted))
  }
}
