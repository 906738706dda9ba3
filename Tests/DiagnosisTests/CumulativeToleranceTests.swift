import Datasets
import Diagnosis
import Execution
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// The tolerances of goldens, held against the engines on everything that Keras wrote for the tests.
@Suite("Cumulative tolerances")
struct CumulativeToleranceTests {
  static let fixtures: [String] = {
    let folder = Fixtures.path("keras")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".npz") }.map { String($0.dropLast(4)) }.sorted()
  }()

  private struct Fixture {
    let model: Model
    let inputs: [String: NDArray<Float>]

    init(_ name: String) throws {
      let model = try ReaderRegistry.read(Fixtures.path("keras/\(name).h5")).model
      let stored = try arrays(Fixtures.path("keras/\(name).npz"))
      var inputs: [String: NDArray<Float>] = [:]
      for input in model.inputs {
        let array = try #require(stored[input.name] ?? stored["input"])
        inputs[input.name] = NDArray(shape: array.shape, values: array.values)
      }
      // An exact run takes each sample by itself.
      self.model = try model.withFreshStates()
      self.inputs = inputs
    }

    func results() throws -> [ExactRun.Result<[Float]>] {
      try ExactRun(model).run(inputs, checkCancellation: {}, item: { $1.values })
    }
  }

  @Test("what is run exactly is what the reference engine gives", arguments: fixtures)
  func reference(name: String) throws {
    let fixture = try Fixture(name)
    let layers = Set(fixture.model.layers.flatMap(\.outputs).map(\.name))
    let expected = try ReferenceEngine(fixture.model, keeping: layers).run(fixture.inputs)
    for (layer, result) in zip(fixture.model.separated.layers, try fixture.results()) {
      let bits = result.items.flatMap { $0.map(\.bitPattern) }
      #expect(bits == expected[layer.name]?.values.map(\.bitPattern), "\(layer.name)")
    }
  }

  /// A correct program stays within a quarter of each tolerance.
  ///
  /// A tolerance is at most 10,000 times what that program needs (2,000 times in half precision),
  /// or one rounding of the largest value if that is more, so that it still detects errors.
  @Test("the fast engine has room, and not too much", arguments: fixtures)
  func room(name: String) throws {
    let fixture = try Fixture(name)
    let layers = Set(fixture.model.layers.flatMap(\.outputs).map(\.name))
    let results = try fixture.results()
    for precision in Precision.allCases {
      let found = try FastEngine(fixture.model, keeping: layers, precision: precision)
        .run(fixture.inputs)
      for (layer, result) in zip(fixture.model.separated.layers, results) {
        guard let tolerance = result.tolerance[precision] else { continue }
        let expected = result.items.flatMap(\.self)
        let difference = Difference(try #require(found[layer.name]).values, from: expected)
        #expect(difference.mismatchedNonFinite == 0)
        #expect(4 * difference.maximumAbsolute <= tolerance, "\(precision) \(layer.name)")
        let rounding = precision == .float32 ? 0x1p-24 : 0x1p-11
        let needed = max(difference.maximumAbsolute, rounding * difference.expectedMaximum)
        let room = precision == .float32 ? 1e4 : 2e3
        // Below all that half precision can hold, its smallest step counts.
        #expect(
          tolerance <= room * max(needed, precision == .float32 ? 0x1p-149 : 0x1p-25),
          "\(precision) \(layer.name)")
      }
    }
  }

  @Test("tolerances grow with fan-in and depth")
  func growth() throws {
    let fixture = try Fixture("keras3-conv-same")
    let results = try fixture.results()
    let largest = { (result: ExactRun.Result<[Float]>) in
      Double(result.items.joined().map(abs).max() ?? 0)
    }
    let first = try #require(results.first)
    let last = try #require(results.last)
    // One layer at least rounds its sums: 4 units, and 2⁻²⁴ times the root of its fan-in.
    #expect(first.tolerance.float32 >= 4 * 0x1p-24 * largest(first))
    #expect(
      last.tolerance.float32 / largest(last) > first.tolerance.float32 / largest(first))
    let half = try #require(last.tolerance.float16)
    #expect(half > 100 * last.tolerance.float32)
  }
}
