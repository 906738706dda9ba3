import Execution
import Foundation
import ModelIR
import TestSupport
import Testing

/// The fast engine works in float32; operators add up to a few hundred roundings of 6e-8.
let engineTolerance: Float = 1e-5

/// Runs `model` on both engines, the fast one at every level of this CPU, and compares all results.
///
/// - Parameters:
///   - kept: layers to compare besides the outputs.
///   - threads: the numbers of threads for the fast engine, one run each.
func expectAgreement(
  _ model: Model, _ inputs: [String: NDArray<Float>], keeping kept: Set<String> = [],
  threads: [Int] = [1], _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let expected = try ReferenceEngine(model, keeping: kept).run(inputs)
  for level in CPULevel.available {
    for count in threads {
      let engine = try FastEngine(model, keeping: kept, threads: count, level: level)
      let found = try engine.run(inputs)
      let problem = difference(expected, found)
      if !engine.fallbacks.isEmpty || problem != nil {
        Issue.record(
          """
          \(level.name), \(count) threads: \(problem ?? "fallbacks \(engine.fallbacks)") \
          \(comment())
          """, sourceLocation: sourceLocation)
      }
    }
  }
}

/// The difference between two results, or `nil`.
func difference(
  _ expected: [String: NDArray<Float>], _ found: [String: NDArray<Float>]
) -> String? {
  guard expected.keys.sorted() == found.keys.sorted() else {
    return "found \(found.keys.sorted()), expected \(expected.keys.sorted())"
  }
  for (name, array) in expected.sorted(by: { $0.key < $1.key }) {
    guard let other = found[name], other.shape == array.shape else {
      return "\(name) has shape \(found[name]?.shape ?? []), expected \(array.shape)"
    }
    if let index = firstDifference(
      array.values, other.values, relativeToLargest: engineTolerance)
    {
      return "\(name)[\(index)] is \(other.values[index]), expected \(array.values[index])"
    }
  }
  return nil
}

/// The combinations of a long loop that are tested: all of them in `make proof`, else every seventh.
///
/// The length of no loop is a multiple of seven, so each pair of settings occurs.
struct WalkSample {
  private static let step = Sampling.isProof ? 1 : 7
  private var count: Int

  /// - Parameter start: another number selects other combinations.
  init(from start: Int) { count = start }

  /// Returns true if the next combination is tested.
  mutating func takesNext() -> Bool {
    count += 1
    return count.isMultiple(of: Self.step)
  }
}

/// The message of the error that `body` throws.
func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}
