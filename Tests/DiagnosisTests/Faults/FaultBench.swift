import Diagnosis
import Documents
import Execution
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing
import Transforms
import Writers

/// Mistakes planted one at a time in correct models, written, read back, and diagnosed.
struct FaultBench {
  /// The results for the faults of one kind.
  struct Tally: Sendable {
    /// Faults that were planted.
    var planted = 0
    /// Faults that change their layer by more than four times its tolerance.
    var counted = 0
    /// Faults whose layer was named first.
    var named = 0
    /// Faults whose repair restores the original values, bit for bit.
    var repaired = 0
    /// Faults that were classified correctly.
    var called = 0
  }

  /// The names of the models.
  let models: [String]
  /// The targets to write for, used in turn.
  let targets: [String]
  /// The faults of a correct model.
  let faults: @Sendable (FaultModel) throws -> [Fault]

  /// Diagnoses every fault.
  ///
  /// - Parameter withModel: true if the source model is available, not only its activations.
  func run(withModel: Bool) throws -> [Repair.Kind: Tally] {
    let folder = try TemporaryFolder()
    var tallies: [Repair.Kind: Tally] = [:]
    for name in models {
      let correct = try FaultModel(name)
      var expected = try ExpectedActivations(
        of: correct.model, on: correct.inputs, engine: .fast, checkCancellation: {})
      if !withModel { expected.model = nil }
      for (index, fault) in try faults(correct).enumerated() {
        let planted = try correct.model.planted(fault)
        let read = try written(
          planted, for: targets[index % targets.count], to: folder.file("\(name)-\(index)"))
        let comparison = try ModelComparison(of: read, on: correct.inputs, with: expected)
        tallies[fault.kind, default: Tally()] += try tally(
          fault, comparison, planted: read, correct: correct)
      }
    }
    return tallies
  }

  /// The least number of faults that a bench has to count.
  static let leastCount = Sampling.isProof ? 200 : 40

  /// A fixed sample of faults of every kind; two fifths of them except in `make proof`.
  ///
  /// - Parameter limit: the largest number of faults of a kind.
  static func some(
    _ all: [Fault], of model: FaultModel, limit: (Repair.Kind) -> Int
  ) -> [Fault] {
    var random = SplitMix64(seed: model.name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
    return Repair.Kind.allCases.flatMap { kind in
      all.filter { $0.kind == kind }.shuffled(using: &random)
        .prefix(Sampling.isProof ? limit(kind) : max(1, limit(kind) / 5))
    }
  }

  /// The model as a conversion for a device writes it, read back.
  private func written(_ model: Model, for name: String, to path: String) throws -> Model {
    let target = try Target.named(name)
    let network = try Network.model(model).completed(for: target).arranged(for: target)
    let plan = try OutputPlan(network, formats: [.bin]) { _ in .float32 }
    let writer = ModelWriter(plan, to: try Destination(path, force: false))
    _ = try writer.write(
      ModelWriter.Description(
        producer: Manifest.Producer(name: "test", version: "1"),
        source: {
          Manifest.Source(
            format: "planted", file: "planted", bytes: 0,
            sha256: String(repeating: "0", count: 64), framework: nil)
        }, target: name, elementType: .float32, isSupported: { _ in true }), progress: { _ in },
      checkCancellation: {})
    let source = try ReaderRegistry.read(path)
    return try source.model
  }

  private func tally(
    _ fault: Fault, _ comparison: ModelComparison, planted: Model, correct: FaultModel
  ) throws -> Tally {
    var tally = Tally(planted: 1)
    let row = try #require(comparison.rows.first { $0.name == fault.layer })
    let isMoved =
      row.difference.mismatchedNonFinite > 0
      || row.difference.maximumAbsolute > 4 * row.tolerance
    guard isMoved else { return tally }
    tally.counted = 1
    let first = comparison.firstFailure?.name
    #expect(first == fault.layer, "\(correct.name) \(fault.layer): \(fault.text)")
    tally.named = first == fault.layer ? 1 : 0
    let text = "\(correct.name) \(fault.layer), \(fault.text)"
    guard let repair = row.explanation?.repair else {
      print("not explained: \(text)")
      return tally
    }
    tally.called = repair.kind == fault.kind ? 1 : 0
    tally.repaired =
      try isRepaired(fault.layer, by: repair, planted: planted, correct: correct.model) ? 1 : 0
    if tally.called + tally.repaired < 2 { print("\(text): \(repair.finding)") }
    return tally
  }

  /// True if a repair restores a layer, bit for bit.
  private func isRepaired(
    _ name: String, by repair: Repair, planted: Model, correct: Model
  ) throws -> Bool {
    let before = try #require(correct.layer(named: name))
    let after = try #require(planted.layer(named: name))
    let inputs = try after.inputShapes.map { try NDArray<Float>(shape: [1] + ($0.known ?? [])) }
    let repaired = try repair.applied(to: LayerCase(after, inputs: inputs))
    let plain = try PlainLayer(before)
    // Targets with two biases have zeros for the second.
    let added = repaired.parameters.filter { plain.parameters[$0.key] == nil }
    return repaired.operation.isEqual(to: plain.operation)
      && added.allSatisfy {
        $0.key == .recurrentBias && $0.value.values.values.allSatisfy { $0 == 0 }
      }
      && plain.parameters.allSatisfy { role, right in
        repaired.parameters[role]?.values.values.map(\.bitPattern)
          == right.values.map(\.bitPattern)
      }
  }

  /// Prints a table.
  static func report(_ tallies: [Repair.Kind: Tally], title: String) {
    print("| \(title) | planted | counted | layer named | called | repaired |")
    print("|---|---|---|---|---|---|")
    for kind in Repair.Kind.allCases {
      guard let tally = tallies[kind] else { continue }
      print(
        "| \(kind.rawValue) | \(tally.planted) | \(tally.counted) | \(tally.named) | \(tally.called) | "
          + "\(tally.repaired) |")
    }
    let sum = tallies.values.reduce(into: Tally()) { $0 += $1 }
    print(
      "| all | \(sum.planted) | \(sum.counted) | \(sum.named) | \(sum.called) | \(sum.repaired) |")
  }
}

extension FaultBench.Tally {
  static func += (sum: inout Self, other: Self) {
    sum.planted += other.planted
    sum.counted += other.counted
    sum.named += other.named
    sum.repaired += other.repaired
    sum.called += other.called
  }
}
