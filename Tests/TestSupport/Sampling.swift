import Foundation

/// How much of a long walk is taken: all of it in `make proof`, else a part that is the same each time.
public enum Sampling {
  /// Whether `NETCONV_PROOF` asks for all.
  public static let isProof = ProcessInfo.processInfo.environment["NETCONV_PROOF"] != nil

  /// Every `step`-th of the elements, beginning with the one at `start`; all of them in `make proof`.
  ///
  /// Walks that begin at 0, 1, … `step` - 1 take each element once together.
  public static func part<Element>(
    of elements: [Element], every step: Int, from start: Int
  ) -> [Element] {
    guard !isProof else { return elements }
    return stride(from: start % step, to: elements.count, by: step).map { elements[$0] }
  }
}
