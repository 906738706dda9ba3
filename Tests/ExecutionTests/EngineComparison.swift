import Execution
import ModelIR
import Testing

/// The fast engine works in float32; operators add up to a few hundred roundings of 6e-8.
let engineTolerance: Float = 1e-5

/// Runs `model` on both engines, the fast one at every level of this CPU, and compares all results.
///
/// - Parameter kept: layers to compare besides the outputs.
func expectAgreement(
  _ model: Model, _ inputs: [String: NDArray<Float>], keeping kept: Set<String> = [],
  threads: Int = 1, _ comment: @autoclosure () -> String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let expected = try ReferenceEngine(model, keeping: kept).run(inputs)
  for level in CPULevel.available {
    let engine = try FastEngine(model, keeping: kept, threads: threads, level: level)
    let found = try engine.run(inputs)
    let problem = difference(expected, found)
    if !engine.fallbacks.isEmpty || problem != nil {
      Issue.record(
        "\(level.name): \(problem ?? "fallbacks \(engine.fallbacks)") \(comment())",
        sourceLocation: sourceLocation)
    }
  }
}

/// Where two results differ, or `nil`.
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
    let largest = array.values.reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
    for (index, (a, b)) in zip(array.values, other.values).enumerated() {
      guard a.isNaN ? b.isNaN : a == b || abs(a - b) <= engineTolerance * largest else {
        return "\(name)[\(index)] is \(b), expected \(a)"
      }
    }
  }
  return nil
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
