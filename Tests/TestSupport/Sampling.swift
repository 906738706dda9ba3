import Foundation
import Testing

/// How many tests a run has, and how much of a long walk it takes.
public enum Sampling: Int, Comparable, Sendable {
  /// `make test`.
  case usual
  /// `make test-slow`, which CI runs too: tests for which a compiler or many processes are started.
  case slow
  /// `make proof`: walks to their ends.
  case proof

  /// That of this run.
  public static let current: Sampling = {
    let environment = ProcessInfo.processInfo.environment
    if environment["NETCONV_PROOF"] != nil { return .proof }
    return environment["NETCONV_SLOW"] != nil ? .slow : .usual
  }()

  /// Whether walks go to their ends.
  public static var isProof: Bool { current == .proof }

  /// Whether the first takes less than the second.
  public static func < (a: Sampling, b: Sampling) -> Bool { a.rawValue < b.rawValue }

  /// Every `step`-th of the elements, beginning with the one at `start`; all of them in `full` and beyond.
  ///
  /// Walks that begin at 0, 1, … `step` - 1 take each element once together.
  public static func part<Element>(
    of elements: [Element], every step: Int, from start: Int, allIn full: Sampling = .proof
  ) -> [Element] {
    guard current < full else { return elements }
    return stride(from: start % step, to: elements.count, by: step).map { elements[$0] }
  }
}

extension Trait where Self == ConditionTrait {
  /// Leaves a test to `make test-slow`.
  public static var slow: Self {
    .enabled(if: Sampling.current >= .slow, "make test-slow runs it, and CI")
  }
}
