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
    #expect(Self.fixtures.count >= 55)
  }

  // Float32 sums of a few hundred products differ from float64 by some 1e-7 of the largest output;
  // 1e-5 leaves room for deep fixtures and is far below any wrong axis.
  @Test("every fixture, on both engines, within 1e-5", arguments: fixtures, EngineKind.allCases)
  func predictions(fixture: String, engine: EngineKind) throws {
    let source = try ReaderRegistry.read(Fixtures.path("keras/\(fixture).h5"))
    let stored = try arrays(Fixtures.path("keras/\(fixture).npz"))
    var inputs: [String: NDArray<Float>] = [:]
    for input in source.model.inputs {
      let array = try #require(stored[input.name] ?? stored["input"])
      inputs[input.name] = NDArray(shape: array.shape, values: array.values)
    }
    let outputs = try engine.engine(for: source.model).run(inputs)
    for name in source.model.outputs {
      let found = try #require(outputs[name])
      let expected = try #require(stored[name])
      #expect(found.shape == expected.shape)
      #expect(relativeDifference(found.values, expected.values) < 1e-5, "output \(name)")
    }
  }

  @Test("the outputs depend on the inputs, so that equality means something")
  func fixturesAreNotVacuous() throws {
    for fixture in Self.fixtures {
      let source = try ReaderRegistry.read(Fixtures.path("keras/\(fixture).h5"))
      let stored = try arrays(Fixtures.path("keras/\(fixture).npz"))
      let spreads = source.model.outputs.compactMap { name -> Double? in
        guard let array = stored[name], array.shape.first == 2 else { return nil }
        let half = array.values.count / 2
        return relativeDifference(
          Array(array.values[..<half]), Array(array.values[half...]))
      }
      #expect(spreads.contains { $0 > 1e-2 }, "\(fixture): the two inputs give equal outputs")
    }
  }
}
