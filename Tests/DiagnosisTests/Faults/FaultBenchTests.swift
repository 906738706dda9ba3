import Diagnosis
import ModelIR
import Testing

/// Faults of networks over images.
@Suite("The fault bench")
struct FaultBenchTests {
  /// The largest number of faults of one kind in a model, such as permutations of a kernel.
  private static let limit = 4

  private static let bench = FaultBench(models: FaultModel.all, targets: ["mps"]) { correct in
    try FaultBench.some(Faults.all(in: correct.model), of: correct) {
      $0 == .kernelOrder ? 2 * limit : limit
    }
  }

  @Test("with the source at hand the layer is always named, and the mistake almost always")
  func againstSource() throws {
    let tallies = try Self.bench.run(withModel: true)
    FaultBench.report(tallies, title: "against the source")
    let sum = tallies.values.reduce(into: FaultBench.Tally()) { $0 += $1 }
    #expect(sum.counted >= FaultBench.leastCount)
    #expect(sum.named == sum.counted)
    #expect(Double(sum.repaired) >= 0.95 * Double(sum.counted))
    #expect(tallies.values.allSatisfy { $0.counted > 0 })
  }

  @Test("with saved activations alone the layer is always named, and the mistake mostly")
  func againstActivations() throws {
    let tallies = try Self.bench.run(withModel: false)
    FaultBench.report(tallies, title: "against saved activations")
    let sum = tallies.values.reduce(into: FaultBench.Tally()) { $0 += $1 }
    #expect(sum.counted >= FaultBench.leastCount)
    #expect(sum.named == sum.counted)
    // Nobody can know the bits of a bias that is not there, only its values.
    #expect(Double(sum.called) >= 0.95 * Double(sum.counted))
  }
}
