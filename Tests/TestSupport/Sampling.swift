import Foundation
import Testing

/// The extent of a test run, and of its long loops.
public enum Sampling: Int, Comparable, Sendable {
  /// The tests of `make test`.
  case usual
  /// The tests of `make test-slow`, including those that start a compiler or many processes; CI
  /// runs them too.
  case slow
  /// The tests of `make proof`, with complete loops.
  case proof

  /// The extent of the current run.
  public static let current: Sampling = {
    let environment = ProcessInfo.processInfo.environment
    if environment["NETCONV_PROOF"] != nil { return .proof }
    return environment["NETCONV_SLOW"] != nil ? .slow : .usual
  }()

  /// True if loops are complete.
  public static var isProof: Bool { current == .proof }

  /// Compares the extents.
  public static func < (a: Sampling, b: Sampling) -> Bool { a.rawValue < b.rawValue }

  /// Every `step`-th of the elements from the one at `start`; all of them for `full` and larger
  /// extents.
  ///
  /// The parts that start at 0, 1, … `step` - 1 together contain each element once.
  public static func part<Element>(
    of elements: [Element], every step: Int, from start: Int, allIn full: Sampling = .proof
  ) -> [Element] {
    guard current < full else { return elements }
    return stride(from: start % step, to: elements.count, by: step).map { elements[$0] }
  }
}

extension Trait where Self == ConditionTrait {
  /// Restricts a test to `make test-slow`.
  public static var slow: Self {
    .enabled(if: Sampling.current >= .slow, "make test-slow runs it, and CI")
  }
}
