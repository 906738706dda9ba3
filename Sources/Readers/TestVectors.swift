import ModelIR

/// A signal that a source holds beside its network, and what the program that made the source gave for it.
public struct TestVectors: Sendable {
  /// What the network's one input is fed with: a batch of one sample.
  public let input: NDArray<Float>
  /// What its one output should be; the first axis is the batch.
  public let output: NDArray<Float>
}

extension SourceNote {
  /// Samples beside a network that nothing is compared with.
  ///
  /// - Parameter path: of a source that is not the one that a user works with.
  public static func unusedTestVectors(
    _ why: NetconvError, of path: String? = nil
  ) -> SourceNote {
    SourceNote(
      text: (path.map { "\(escaped($0)): " } ?? "")
        + "the file holds test samples, which are not used here",
      details: [why.description], isWarning: true)
  }
}
